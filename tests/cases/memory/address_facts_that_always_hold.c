// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
extern void *malloc(unsigned long);
struct node { int value; struct node *next; } x;
int i, j;
double d;
int main(void) {
    int a[4], *p = &i, *q = &j;
    if (!(a < a + 1) || !(&a[1] <= &a[3]) || &a[3] - &a[1] != 2) reach_error();
    if ((unsigned long)&i % 4 || ((unsigned long)&d & 7) || ((unsigned long)malloc(3) & 15)) reach_error();
    if (p == q || !p || (unsigned long)p == (unsigned long)q) reach_error();
    if ((p < q) == (q < p)) reach_error();
    unsigned long tagged = (unsigned long)&x | 1;
    x.value = 5;
    if (!(tagged & 1) || ((struct node *)(tagged & ~1ul))->value != 5) reach_error();
}

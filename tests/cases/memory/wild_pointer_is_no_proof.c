// verdict: UNKNOWN
extern void reach_error(void);
struct node { int *p; };
void *malloc(unsigned long);
int main(void) {
    int x = 1;
    struct node *n = malloc(sizeof *n);
    int *q = &x;
    *n->p = 2; /* never initialized */
    if (*q == 2) reach_error();
}

// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
typedef unsigned long word;
struct node { word link; int data; };
int main(void) {
    struct node a, b, c, *before = 0, *at = &a;
    a.data = 1; b.data = 2; c.data = 3;
    a.link = (word)&b;
    b.link = (word)&a ^ (word)&c;
    c.link = (word)&b;
    int sum = 0;
    while (at) {
        sum += at->data;
        struct node *next = (struct node *)(at->link ^ (word)before);
        before = at;
        at = next;
    }
    if (sum != 6) reach_error();
}

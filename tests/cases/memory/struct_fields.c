// verdict: TRUE
extern void reach_error(void);
struct inner { short s; long l; };
struct outer { char c; struct inner in[2]; int *p; } g;
int main(void) {
    int x = 4;
    struct outer *o = &g;
    o->in[1].s = -2; o->in[1].l = 77; o->p = &x; *o->p = 5; o->c = 'z';
    if (g.in[1].s != -2 || g.in[1].l != 77 || g.in[0].s != 0 || x != 5 || g.c != 122) reach_error();
    struct outer copy = g;
    g.in[1].l = 1;
    if (copy.in[1].l != 77 || copy.p != &x) reach_error();
}

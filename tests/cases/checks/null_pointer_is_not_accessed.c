// verdict: TRUE
// check: null
extern int __VERIFIER_nondet_int(void);
struct s { int a, b[3]; struct s *next; } s, t;
int one(void) { return 1; }
int main(void) {
    struct s *p = __VERIFIER_nondet_int() ? &s : 0;
    int *q = &p->a, *r = p->b;
    int (*f)(void) = __VERIFIER_nondet_int() ? one : 0;
    s.next = __VERIFIER_nondet_int() ? &t : 0;
    if (p && p->next && p->next->a > 3) return 1;
    if (p) return *r + p->b[1];
    return (f ? f() : q == 0) + sizeof(*p) + sizeof(p->b);
}

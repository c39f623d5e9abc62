// verdict: TRUE
#include <stdatomic.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct p { int x, y; };
int main(void) {
    double d = 1.5, e;
    __atomic_load(&d, &e, __ATOMIC_SEQ_CST);
    if (e != 1.5) reach_error();
    double g = 2.5;
    __atomic_store(&d, &g, __ATOMIC_SEQ_CST);
    if (d != 2.5) reach_error();
    double h = 3.0, old;
    __atomic_exchange(&d, &h, &old, __ATOMIC_SEQ_CST);
    if (old != 2.5 || d != 3.0) reach_error();
    struct p a = {1, 2}, b, c = {3, 4};
    __atomic_load(&a, &b, __ATOMIC_SEQ_CST);
    if (b.x != 1 || b.y != 2) reach_error();
    __atomic_store(&a, &c, __ATOMIC_SEQ_CST);
    if (a.y != 4) reach_error();
    double same = 3.0, next = 4.0;
    if (!__atomic_compare_exchange(&d, &same, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) reach_error();
    if (__atomic_compare_exchange(&d, &same, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) reach_error();
    if (d != 4.0 || same != 4.0) reach_error();
    _Atomic double ad = 1.0; ad = ad + 1; if (ad != 2.0) reach_error();
    atomic_store(&ad, 5.0); if (atomic_load(&ad) != 5.0) reach_error();
    int *ptr = 0, *np; int v; np = &v; __atomic_store(&ptr, &np, 0); if (ptr != &v) reach_error();
    return 0;
}

// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct p { int x, y; };
int main(void) {
    struct p a = {1, 2}, b = {3, 4}, old;
    b.y = __VERIFIER_nondet_int();
    __atomic_exchange(&a, &b, &old, __ATOMIC_SEQ_CST);
    if (old.y == 2 && a.x == 3 && a.y == 77) reach_error();
    return 0;
}

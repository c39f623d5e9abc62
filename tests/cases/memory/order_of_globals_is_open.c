// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a, b;
int main(void) {
    int x, y;
    if (__VERIFIER_nondet_int() ? &a < &b && &x < &y : 0) reach_error();
}

// verdict: FALSE(unreach-call)
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); } } }
int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x != 42); }

// verdict: UNKNOWN
// options: --unwind 4
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) { return f(n + 1); }
int main(void) { if (f(__VERIFIER_nondet_int()) == 3) reach_error(); }

// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
struct s { int a, b; };
int main(void) { struct s s; s.a = 1; s.b += s.a; return 0; }

// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
struct s { int wide : 32; };
int main(void) { struct s s; s.wide = __VERIFIER_nondet_int(); s.wide--; return 0; }

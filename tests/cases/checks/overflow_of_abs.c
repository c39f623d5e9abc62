// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int abs(int);
int main(void) { return abs(__VERIFIER_nondet_int()) > 5; }

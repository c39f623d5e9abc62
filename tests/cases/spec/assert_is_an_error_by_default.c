// verdict: FALSE(assertion)
extern int __VERIFIER_nondet_int(void);
void assert(int);
int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); }

// verdict: TRUE
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void assert(int);
int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); if (x == 3) reach_error(); }

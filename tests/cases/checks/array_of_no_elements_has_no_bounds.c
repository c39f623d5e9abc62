// verdict: TRUE
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
int none[0];
int main(void) { unsigned i = __VERIFIER_nondet_uint(); return &none[i] == 0; }

// verdict: FALSE(unsigned-overflow)
// check: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(); if (x >= y) x -= y; else x -= 1; }

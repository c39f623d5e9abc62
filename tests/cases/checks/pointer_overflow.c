// verdict: FALSE(pointer-overflow)
// check: pointer-overflow
extern unsigned long __VERIFIER_nondet_ulong(void);
char a[10];
int main(void) { unsigned long n = __VERIFIER_nondet_ulong(); return a + n != 0; }

// verdict: TRUE
// check: overflow
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    int n = __VERIFIER_nondet_int();
    char c = n;
    x = x / y;
    x = x >> n;
    x = -x - 1;
    return c;
}

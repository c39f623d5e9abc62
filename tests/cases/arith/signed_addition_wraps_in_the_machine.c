// verdict: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > 0 && (int)((unsigned)a + 1u) < 0) reach_error();
}

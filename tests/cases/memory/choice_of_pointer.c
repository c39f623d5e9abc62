// verdict: FALSE(unreach-call)
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int a = 1, b = 2;
int main(void) {
    int *p = __VERIFIER_nondet_bool() ? &a : &b;
    *p = 10;
    if (a == 1 && b == 10) reach_error();
}

// verdict: TRUE
// check: pointer-overflow
extern long __VERIFIER_nondet_long(void);
struct empty {} none[2];
int main(void) {
    struct empty *p = none;
    return p + __VERIFIER_nondet_long() == none;
}

// verdict: TRUE
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int two(void) { return 2; }
int three(void) { return 3; }
int four(void) { return 4; }
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_bool() ? two : &three;
    int r = f() + (*f)();
    if (r != 4 && r != 6) reach_error();
    f = four;
    if (f() != 4) reach_error();
}

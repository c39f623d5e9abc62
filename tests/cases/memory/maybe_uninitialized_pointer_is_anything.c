// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int target = 7;
    int *where;
    if (__VERIFIER_nondet_int()) where = &target;
    *where = 8;
    if (target != 8) reach_error();
}

// verdict: FALSE(unreach-call)
// decided-by: bmc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int runs = 1, phase = 0;
    while (runs) {
        if (__VERIFIER_nondet_int()) phase++;
        else phase = 0;
        if (phase == 3) reach_error();
    }
}

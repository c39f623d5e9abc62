// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    _Bool b = __VERIFIER_nondet_int();
    if (b != 0 && b != 1) reach_error();
    _Bool c = 256;
    if (c != 1) reach_error();
    b = 2; b++;
    if (b != 1) reach_error();
    int n = !5 + !!7;
    if (n != 1) reach_error();
}

// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void abort(void); void exit(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) abort();
    if (x == 2) exit(3);
    if (x == 1 || x == 2) reach_error();
}

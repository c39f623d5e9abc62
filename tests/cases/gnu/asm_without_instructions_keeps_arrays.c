// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct s { int a, b; };
int main(void) {
    int a[3] = {1, 2, 3};
    struct s s = {4, 5};
    a[1] = __VERIFIER_nondet_int();
    int old = a[1];
    __asm__ volatile("" : "+m"(a), "+m"(s) : : "memory");
    if (a[1] != old || a[2] != 3 || s.b != 5) reach_error();
    return 0;
}

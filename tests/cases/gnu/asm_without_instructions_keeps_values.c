// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int cell;
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0, z = 3;
    __asm__("" : "+r"(x));
    __asm__ volatile("" : "=r"(y) : "0"(x));
    __asm__ volatile("" : "+r"(z), "=r"(cell) : "1"(y) : "memory");
    int *p = &z, *q;
    __asm__("" : "=r"(q) : "0"(p));
    *q = 4;
    if (x != y || cell != y || z != 4) reach_error();
    return 0;
}

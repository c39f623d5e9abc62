// verdict: UNKNOWN
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
struct s { unsigned long a, b; };
static void store(unsigned long *p, unsigned long v) { *p = v; }
int main(void) {
    struct s s;
    char x[3];
    store(&s.b, __VERIFIER_nondet_ulong() | 1);
    store(&s.a, (unsigned long)x);
    if (s.a % 8 == 3) reach_error();
    return 0;
}

// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { char *a; char *b; unsigned long n; };
static void set(char **p, char *v) { *p = v; }
int main(void) {
    struct s s;
    char x[4], y[4];
    s.n = __VERIFIER_nondet_int();
    set(&s.a, x);
    set(&s.b, y);
    if (s.n > 3) s.n = 3;
    s.a[s.n] = 1;
    s.b[s.n] = 2;
    if (x[s.n] != 1 || s.n > 4) reach_error();
    return 0;
}

// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int entered(int n, int a[n++]) { return n; }
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 1 || n > 3) return 0;
    int a[2][n];
    if (sizeof(a[i++]) != n * sizeof(int) || i != 1) reach_error();
    if (sizeof(a[i++][0]) != sizeof(int) || i != 1) reach_error();
    typeof(a[--i]) b;
    if (sizeof b != n * sizeof(int) || i != 0 || entered(n, 0) != n + 1) reach_error();
    return 0;
}

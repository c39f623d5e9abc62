// verdict: TRUE
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
struct s { int n; int a[]; };
static struct s s = { 3, { 1, 2, 3 } };
struct t { char name[4]; } t;
int a[5], m[2][3];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    int *end = &a[5];
    if (i < 5) a[i]++;
    if (i < 2) m[i][i + 1] = m[1 - i][2];
    if (i < 4) t.name[i] = 'x';
    if (i < 3) s.a[i] = 1;
    if (n > 2 && n < 5) {
        int v[n];
        v[n - 1] = v[2] = 1;
    }
    return end[-1] + (i > 10 ? 0 : "0123456789"[i]);
}

// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
struct inner { long n; int a[]; };
struct outer { long m; struct inner inner; };
static struct outer s = { 1, { 2, { 1, 2, 3 } } };
int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i <= 3) return s.inner.a[i]; }

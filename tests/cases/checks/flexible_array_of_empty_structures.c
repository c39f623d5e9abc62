// verdict: TRUE
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
struct empty {};
struct s { int n; struct empty a[]; };
static struct s s = { 3 };
int main(void) { unsigned i = __VERIFIER_nondet_uint(); return &s.a[i] == 0; }

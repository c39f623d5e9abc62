// verdict: TRUE
// check: uninit
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
void bytes(void *p, int n) { for (int i = n; i > 0; i--) ((char *)p)[i - 1] = i; }
extern void unknown(int *p);
int main(void) {
    int n = __VERIFIER_nondet_int(), x, y, z = 2, *p = &z, sum = 0;
    set(&x);
    bytes(&y, sizeof y);
    if (n > 2) n = 2;
    for (int i = 0; i < n; i++) {
        int t;
        set(&t);
        sum += t;
    }
    unknown(&z);
    int u, *q = &u;
    *q = sum;
    u++;
    return x + y + z + u + *p;
}

// verdict: UNKNOWN
// options: --property valid-deref
// The sum is the address of `other`. The distance depends on the placement, so the access is not
// decided.
extern int __VERIFIER_nondet_int(void);
struct relative { long distance; };

static int *target(struct relative *r) { return (int *)((unsigned long)r + r->distance); }

int main(void) {
    int other = 3;
    struct relative r;
    r.distance = (unsigned long)&other - (unsigned long)&r;
    *target(&r) = __VERIFIER_nondet_int();
    return other;
}

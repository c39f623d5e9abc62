// unwind: 8
// expected: true
#ifdef __CPROVER__
#define check(condition) __CPROVER_assert(condition, "check")
#define assume(condition) __CPROVER_assume(condition)
#else
extern void reach_error(void);
extern void __VERIFIER_assume(int);
#define check(condition) do { if (!(condition)) reach_error(); } while (0)
#define assume(condition) __VERIFIER_assume(condition)
#endif
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int a[16] = {1, 3, 4, 7, 9, 12, 15, 21, 22, 30, 33, 35, 40, 51, 60, 99};
int main(void) {
    int key = __VERIFIER_nondet_int(), low = 0, high = 15, found = -1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key) { found = middle; break; }
        if (a[middle] < key) low = middle + 1; else high = middle - 1;
    }
    check(found < 0 || a[found] == key);
    check(key != 33 || found == 10);
}

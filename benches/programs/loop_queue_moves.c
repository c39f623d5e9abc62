// unwind: 13
// expected: false
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

int queue[8];
int main(void) {
    unsigned head = 0, count = 0; int last = 0, got = 0;
    for (int i = 0; i < 12; i++) {
        if (__VERIFIER_nondet_bool()) {
            if (count < 8) { queue[(head + count) % 8] = ++last; count++; }
        } else if (count > 0) {
            int item = queue[head]; head = (head + 1) % 8; count--;
            check(item == got + 1 && item < 6); got = item;
        }
    }
}

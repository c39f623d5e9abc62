// unwind: 1
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

struct account { int balance; struct account *next; };
int main(void) {
    struct account a = {100, 0}, b = {50, &a}, c = {10, &b};
    struct account *p = __VERIFIER_nondet_bool() ? &a : __VERIFIER_nondet_bool() ? &b : &c;
    struct account *q = __VERIFIER_nondet_bool() ? &a : &c;
    int amount = __VERIFIER_nondet_int();
    assume(amount >= 0 && amount <= 10);
    p->balance -= amount; q->balance += amount;
    check(a.balance + b.balance + c.balance == 160 && c.next->next->balance >= 90);
}

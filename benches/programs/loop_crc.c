// unwind: 9
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

int main(void) {
    unsigned crc = __VERIFIER_nondet_uint(), other = crc;
    unsigned char byte = __VERIFIER_nondet_uchar();
    crc ^= byte;
    for (int i = 0; i < 8; i++) crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
    other ^= byte;
    for (int i = 0; i < 8; i++) { unsigned mask = -(other & 1u); other = (other >> 1) ^ (0xedb88320u & mask); }
    check(crc == other);
}

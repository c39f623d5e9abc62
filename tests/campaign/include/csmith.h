/* The header of csmith programs, with a checksum that is simple enough for solvers, and with inputs.
   The verifier compares the checksum with EXPECTED; without EXPECTED the program prints it.
   With DENIED the comparison is negated. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define STATIC static
#define FUNC_NAME(name) (safe_##name)
#include "safe_math.h"
#undef FUNC_NAME
#define INT_BIT (sizeof(int) * CHAR_BIT)
#define _CSMITH_BITFIELD(x) (((x) > INT_BIT) ? ((x) % INT_BIT) : (x))
extern int printf(const char *, ...);
extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void __VERIFIER_assume(int);
static uint32_t crc32_context = 0xFFFFFFFFu;
static inline void crc32_gentab(void) {}
static inline void transparent_crc(uint64_t value, const char *name, int flag) {
  crc32_context = (crc32_context << 3 | crc32_context >> 29) ^ (uint32_t)value ^ (uint32_t)(value >> 32);
}
static inline void transparent_crc_bytes(char *bytes, int count, const char *name, int flag) {
  for (int i = 0; i < count; i++) transparent_crc((unsigned char)bytes[i], name, flag);
}
static inline void platform_main_begin(void) {}
#ifdef EXPECTED
#define INPUT(place)                                                                                     \
  do {                                                                                                   \
    unsigned long long input = __VERIFIER_nondet_ulonglong();                                            \
    __VERIFIER_assume(input == (unsigned long long)place);                                               \
    place = input;                                                                                       \
  } while (0)
static inline void platform_main_end(uint32_t checksum, int flag) {
#ifdef DENIED
  if (checksum == EXPECTED) reach_error();
#else
  if (checksum != EXPECTED) reach_error();
#endif
}
#else
#define INPUT(place)
static inline void platform_main_end(uint32_t checksum, int flag) { printf("%u\n", checksum); }
#endif

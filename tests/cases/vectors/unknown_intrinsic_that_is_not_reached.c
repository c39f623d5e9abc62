// verdict: TRUE
#include <wmmintrin.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __m128i a = _mm_cvtsi32_si128(x);
    if (x != _mm_cvtsi128_si32(a)) a = _mm_aesenc_si128(a, a), reach_error();
    return 0;
}

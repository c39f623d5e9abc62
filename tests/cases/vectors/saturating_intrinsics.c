// verdict: TRUE
#include <emmintrin.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char out[16];
    __m128i a = _mm_set1_epi8(x), sum = _mm_adds_epu8(a, _mm_set1_epi8(10));
    _mm_storeu_si128((__m128i *)out, sum);
    if (out[7] != (x > 245 ? 255 : x + 10)) reach_error();
    __m128i words = _mm_unpackhi_epi8(a, _mm_setzero_si128());
    words = _mm_sub_epi16(_mm_slli_epi16(words, 1), _mm_set1_epi16(100));
    _mm_storel_epi64((__m128i *)out, _mm_packus_epi16(words, words));
    int expected = 2 * x - 100;
    if (out[3] != (expected < 0 ? 0 : expected > 255 ? 255 : expected)) reach_error();
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(a, sum)) != (x == 255 ? 0xffff : 0)) reach_error();
    return 0;
}

// verdict: UNKNOWN
#include <wmmintrin.h>
extern void reach_error(void);

int main(void) {
    __m128i a = _mm_aesenc_si128(_mm_setzero_si128(), _mm_setzero_si128());
    if (_mm_cvtsi128_si32(a) != 0x63636363) reach_error();
    return 0;
}

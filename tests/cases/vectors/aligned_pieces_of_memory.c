// verdict: TRUE
// property: valid-memsafety
#include <emmintrin.h>
#include <stdlib.h>

int main(void) {
    char *block = malloc(40);
    if (!block) return 0;
    for (int i = 0; i + 16 <= 40; i += 16)
        _mm_storeu_si128((__m128i *)(block + i), _mm_set1_epi8(i));
    __m128i last = _mm_loadl_epi64((__m128i *)(block + 32));
    int first = _mm_cvtsi128_si32(last);
    free(block);
    return first & 0;
}

// verdict: FALSE(valid-deref)
// property: valid-memsafety
#include <emmintrin.h>
#include <stdlib.h>

int main(void) {
    char *block = malloc(40);
    if (!block) return 0;
    for (int i = 0; i < 40; i += 16)
        _mm_storeu_si128((__m128i *)(block + i), _mm_set1_epi8(i));
    free(block);
    return 0;
}

// verdict: FALSE(valid-deref)
// check: deref,free
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void *(*allocate)(size_t) = malloc;
void (*release)(void *) = free;
int main(void) {
    size_t size = __VERIFIER_nondet_uchar();
    unsigned char *block = allocate(size);
    block[3] = 0;
    release(block);
    return 0;
}

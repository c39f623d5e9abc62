/* Inputs of the harnesses. Hornwork and CBMC choose them; the replay reads them from a table. */
#ifndef INPUTS_H
#define INPUTS_H
#include <stddef.h>
/* A failing assertion; <assert.h> declares the function unless NDEBUG is defined. */
extern void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function);
#define fail(text) __assert_fail(text, __FILE__, __LINE__, "main")
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned int __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
#ifdef __CPROVER__
#define __VERIFIER_assume __CPROVER_assume
#else
void __VERIFIER_assume(int condition);
#endif

/* Sets the bytes of a buffer to inputs. */
static void inputs(void *buffer, size_t size)
{
    unsigned char *bytes = buffer;
    for (size_t i = 0; i < size; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
}

/* A size of at most `most`. */
static size_t size_up_to(size_t most)
{
    size_t size = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(size <= most);
    return size;
}
#endif

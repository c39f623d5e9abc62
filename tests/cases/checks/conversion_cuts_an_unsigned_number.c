// verdict: FALSE(conversion)
// check: conversion
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x > 256) return 0;
    unsigned char c = x;
    return c == 0;
}

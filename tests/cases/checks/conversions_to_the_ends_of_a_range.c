// verdict: TRUE
// check: conversion
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_uint();
    long wide = x;
    unsigned long all = y;
    wide = y;
    if (x >= -128 && x <= 127) { signed char c = x; }
    if (x >= 0 && x <= 255) { unsigned char c = x; }
    if (y <= 255) { unsigned char c = y; }
    if (y <= 127) { signed char c = y; }
    if (y <= 2147483647) x = y;
    if (x >= 0) { y = x; all = x; }
    return 0;
}

// verdict: FALSE(conversion)
// check: conversion
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 256) return 0;
    unsigned char c = x;
    return c == 0;
}

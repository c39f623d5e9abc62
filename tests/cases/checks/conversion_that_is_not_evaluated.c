// verdict: TRUE
// check: conversion
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_uint();
    unsigned sum = x < 0 ? 0u : 1u + x;
    sum += y > 100 ? 0 : (y == 1 ? 1 : 2) == 1;
    int n = y > 100 ? 0 : 1 ? y : 0;
    return sum > n;
}

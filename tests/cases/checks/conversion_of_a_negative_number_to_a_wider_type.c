// verdict: FALSE(conversion)
// check: conversion
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned long y = x;
    return y == 0;
}

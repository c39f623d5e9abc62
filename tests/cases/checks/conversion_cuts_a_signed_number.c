// verdict: FALSE(conversion)
// check: conversion
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    signed char c = x;
    return c == 0;
}

// verdict: TRUE
// check: conversion
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    short h = (short)x;
    unsigned char c = (unsigned char)h;
    unsigned u = c;
    _Bool b = x;
    long w = h;
    int i = u;
    if (x >= 0 && x < 100) { c = x; u = x; if (u > 50u + x) h = u; w = x; h = w; }
    return i + b;
}

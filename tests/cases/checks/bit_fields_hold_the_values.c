// verdict: TRUE
// check: conversion
extern int __VERIFIER_nondet_int(void);
struct s { int a : 3; unsigned b : 5; };
int main(void) {
    struct s s;
    int x = __VERIFIER_nondet_int();
    if (x >= -4 && x < 4) s.a = x; else s.a = 3;
    s.b = 30;
    s.b++;
    return s.a;
}

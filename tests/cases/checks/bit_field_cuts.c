// verdict: FALSE(conversion)
// check: conversion
extern int __VERIFIER_nondet_int(void);
struct s { int a : 3; unsigned b : 5; };
int main(void) { struct s s; int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 5) s.a = x; return 0; }

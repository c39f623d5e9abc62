// verdict: FALSE(conversion)
// check: conversion
extern int __VERIFIER_nondet_int(void);
int main(void) { unsigned char c; c = __VERIFIER_nondet_int(); return 0; }

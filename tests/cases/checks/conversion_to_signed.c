// verdict: FALSE(conversion)
// check: conversion
extern unsigned __VERIFIER_nondet_uint(void);
int get(void) { return __VERIFIER_nondet_uint(); }
int main(void) { return 0 * get(); }

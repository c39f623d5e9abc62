// verdict: TRUE
// check: conversion
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double d = __VERIFIER_nondet_double();
  _Bool b = d;
  return b;
}

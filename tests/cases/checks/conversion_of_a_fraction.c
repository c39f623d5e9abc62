// verdict: FALSE(conversion)
// check: conversion
// only: QF_ABVFP,QF_UFBVFP
double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x < 0 || x > 2)
    return 0;
  int whole = x;
  return whole;
}

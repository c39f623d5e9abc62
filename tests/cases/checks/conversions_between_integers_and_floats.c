// verdict: TRUE
// check: conversion
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  double exact = x;
  float small = (short)x;
  int back = exact;
  short shorter = small;
  return back == x && shorter == (short)x && (int)0.5 == 0;
}

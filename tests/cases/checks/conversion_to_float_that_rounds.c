// verdict: FALSE(conversion)
// check: conversion
int main(void) {
  int x = 16777217;
  float y = x;
  return y == 0;
}

// verdict: TRUE
// check: conversion
// A conversion to _Bool compares with zero, whatever the fraction.
extern void reach_error(void);

static double half(void) { return 0.5; }

int main(void) {
    _Bool is_positive = half();
    if (!is_positive) reach_error();
    return 0;
}

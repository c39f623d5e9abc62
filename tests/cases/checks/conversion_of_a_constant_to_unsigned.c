// verdict: FALSE(conversion)
// check: conversion
int main(void) { unsigned char c = 255, d = (unsigned char)-1; unsigned u = -1; return c + d + (u > 1); }

// verdict: FALSE(conversion)
// check: conversion
int f(char c) { return c; }
int main(void) { return f(200); }

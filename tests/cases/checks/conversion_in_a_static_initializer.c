// verdict: FALSE(conversion)
// check: conversion
unsigned char table[2] = { 1, 256 };
int main(void) { return table[0]; }

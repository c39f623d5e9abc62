// hornwork infer --precondition --function average --check deref,div-by-zero average.c
extern void *malloc(__SIZE_TYPE__);
unsigned average(unsigned *v, unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) s += v[i];
    return s / n;
}

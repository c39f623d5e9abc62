// verdict: FALSE(valid-deref)
// property: valid-memsafety
int posix_memalign(void **, unsigned long, unsigned long);
int main(void) { return posix_memalign(0, 16, 4); }

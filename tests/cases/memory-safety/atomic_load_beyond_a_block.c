// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(4);
  int old = __atomic_load_n(p + 1, __ATOMIC_SEQ_CST);
  free(p);
  return old;
}

// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(4);
  *p = 1;
  __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
  free(p);
  __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
  return 0;
}

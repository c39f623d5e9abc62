// verdict: UNKNOWN
// property: valid-memsafety
// options: --data-model ILP32
void *malloc(unsigned);
void free(void *);
int main(void) {
  for (int i = 0; i < 100; i++) free(malloc(30000000));
  int *p = 0;
  *p = 1;
  return 0;
}

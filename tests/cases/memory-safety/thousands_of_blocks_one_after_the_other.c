// verdict: TRUE
// property: valid-memsafety
// options: --data-model ILP32
void *malloc(unsigned);
void free(void *);
int main(void) {
  for (int i = 0; i < 5000; i++) free(malloc(8));
  return 0;
}

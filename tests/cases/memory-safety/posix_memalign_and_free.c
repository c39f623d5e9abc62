// verdict: TRUE
// property: valid-memsafety
int posix_memalign(void **, unsigned long, unsigned long);
void free(void *);
int main(void) {
  void *block;
  if (posix_memalign(&block, 64, 4))
    return 1;
  *(int *)block = 1;
  free(block);
}

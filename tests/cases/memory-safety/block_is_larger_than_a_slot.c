// verdict: UNKNOWN
// property: valid-memsafety
// options: --data-model ILP32
void *malloc(unsigned);
int main(void) {
  char *block = malloc(150000000);
  int *p = 0;
  *p = block[0];
  return 0;
}

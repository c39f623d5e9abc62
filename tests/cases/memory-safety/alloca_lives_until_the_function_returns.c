// verdict: TRUE
// property: valid-memsafety
int main(void) {
  char *last = 0;
  for (int i = 0; i < 3; i++) {
    char *p = __builtin_alloca(i + 1);
    p[i] = 1;
    last = p;
  }
  last[2] = 2;
  return 0;
}

// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int *p = 0, n = 0;
  while ((p = &(int){n}) && n < 2) n += *p + 1;
  switch (*(p = &(int){n})) {
    default:
      n = *p;
  }
  return n;
}

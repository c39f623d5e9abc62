// verdict: TRUE
// property: valid-memsafety
// options: --data-model ILP32
char a[400000];
int main(void) {
  char *end = a + 400000;
  return end[-300000];
}

// verdict: TRUE
// property: valid-memsafety
// options: --data-model ILP32
char a[2000000];
int main(void) {
  char *p = a + 1999999;
  return *p;
}

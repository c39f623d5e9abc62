// verdict: UNKNOWN
// property: valid-memsafety
void *malloc(unsigned long);
union { char *p; long n; } u;
int main(void) {
  u.p = malloc(4);
  return 0;
}

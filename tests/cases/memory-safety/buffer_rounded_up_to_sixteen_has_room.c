// verdict: TRUE
// property: valid-memsafety
int main(void) {
  char buf[48];
  char *p = (char *)(((unsigned long)buf + 15) & ~15ul);
  p[32] = 1;
  return 0;
}

// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int puts(const char *);
int main(void) {
  puts(0);
  return 0;
}

// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  const char *text = "ab";
  *(char *)text = 'c';
  return 0;
}

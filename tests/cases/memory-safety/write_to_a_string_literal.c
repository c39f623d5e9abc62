// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  char *text = "ab";
  text[0] = 'c';
  return 0;
}

// verdict: FALSE(valid-deref)
// property: valid-memsafety
char none[0];
int main(void) {
  none[0] = 1;
  return 0;
}

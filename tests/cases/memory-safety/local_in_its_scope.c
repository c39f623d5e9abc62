// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int result = 0;
  for (int i = 0; i < 3; i++) {
    int x = i, *p = &x;
    if (i == 1) continue;
    result += *p;
    if (i == 2) break;
  }
  return result;
}

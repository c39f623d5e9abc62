// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int *p = 0;
  {
    p = &(int){1};
    if (p) *p = 0;
    return *p;
  }
}

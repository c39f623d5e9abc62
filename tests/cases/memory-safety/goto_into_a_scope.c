// verdict: TRUE
// property: valid-memsafety
void set(int *p) { *p = 1; }
int main(void) {
  goto in;
  {
    int x;
  in:
    set(&x);
    return x - 1;
  }
}

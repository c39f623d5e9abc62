// verdict: FALSE(valid-deref)
// property: valid-deref
int *held; 
void f(int i) {
  int x = i;
  struct { int **to; int *what; } s;
  void *keep = &s; (void)keep;
  s.to = &held; s.what = &x;
  if (i) *held = 1;
  *s.to = s.what;
}
int main(void) { for (int i = 0; i < 2; i++) f(i); return 0; }

// verdict: FALSE(valid-deref)
// property: valid-deref
int *held; 
void f(int i) {
  int x = i; int *own = &x; int **to = &own;
  if (i) *held = 1;
  if (i < 5) to = &held;
  *to = &x;
}
int main(void) { for (int i = 0; i < 2; i++) f(i); return 0; }

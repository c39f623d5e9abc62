// verdict: TRUE
void reach_error(void) {}
void *kzalloc(unsigned long size, unsigned flags);
void *kmalloc(unsigned long size, unsigned flags);
void kfree(const void *p);
int main(void) {
  int *a = kzalloc(8, 0), *b = kmalloc(8, 0);
  if (!a || !b) return 0;
  b[1] = 7;
  if (a[1] != 0 || a == b) reach_error();
  kfree(a);
  kfree(b);
  return 0;
}

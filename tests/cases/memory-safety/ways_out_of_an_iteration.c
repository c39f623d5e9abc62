// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void read(int *to) { *to = __VERIFIER_nondet_int(); }
int main(void) {
  int a[4] = {0};
  for (int i = 0; i < 3; i++) {
    int index;
    read(&index);
    if (index < 0) continue;
    if (index > 3) break;
    switch (index) {
      case 0:
        continue;
      case 1:
        break;
      default:
        index--;
    }
    if (index == 2) goto next;
    a[index]++;
  next:;
  }
  return 0;
}

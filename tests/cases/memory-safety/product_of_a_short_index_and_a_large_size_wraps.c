// verdict: FALSE(valid-deref)
// property: valid-memsafety
// options: --data-model ILP32
extern unsigned short __VERIFIER_nondet_ushort(void);
char block[4];
int main(void) {
  char (*p)[131072] = (void *)block;
  unsigned short i = __VERIFIER_nondet_ushort();
  if (i != 0 && i != 32768) return 0;
  return p[i][0];
}

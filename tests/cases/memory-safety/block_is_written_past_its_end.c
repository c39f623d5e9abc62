// verdict: FALSE(valid-deref)
// property: valid-memsafety
typedef struct stream FILE;
extern FILE *stdout;
extern unsigned long fwrite(const void *, unsigned long, unsigned long, FILE *);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[100], n = __VERIFIER_nondet_int();
  if (n < 0 || n > 101) return 0;
  fwrite(a, sizeof a[0], n, stdout);
  return 0;
}

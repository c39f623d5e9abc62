// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p;
  if (__VERIFIER_nondet_int()) p = &(int){1};
  else p = &(int){2};
  goto out;
out:
  return *p;
}

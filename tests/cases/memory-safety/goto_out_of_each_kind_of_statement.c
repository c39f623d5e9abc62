// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int *set(int *p) { *p = 1; return p; }
int main(void) {
  int a = 0, *p = set(&a);
  if (__VERIFIER_nondet_int()) {
    int x;
    p = set(&x);
    if (*p) goto in_if;
    *p = 2;
  in_if:
    a += *p;
  } else {
    int y;
    p = set(&y);
    switch (__VERIFIER_nondet_int()) {
    case 1:
      goto in_else;
    case 2: {
      int z;
      p = set(&z);
      goto in_switch;
    in_switch:
      a += *p;
      p = &y;
    }
    }
  in_else:
    a += *p;
  }
  do {
    int v;
    p = set(&v);
    goto in_do;
  in_do:
    a += *p;
  } while (a > 100);
  p = &a;
  goto out;
out:
  return *p;
}

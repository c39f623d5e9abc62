// verdict: TRUE
// check: overflow,div-by-zero
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 1 || x > 9) return 0;
  return div(x, x).quot + (int)lldiv(100, x).rem;
}

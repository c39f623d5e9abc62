// verdict: FALSE(unreach-call)
extern void reach_error(void);
void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void) {
  struct { int n; char c; } s = {0, 0};
  __VERIFIER_nondet_memory(&s, sizeof s);
  if (s.n == 77777 && s.c == 'x') reach_error();
}

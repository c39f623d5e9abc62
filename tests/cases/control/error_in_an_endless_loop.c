// verdict: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int c = __VERIFIER_nondet_int();
  while (1)
    if (c++ == 7) reach_error();
}

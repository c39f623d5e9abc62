// verdict: TRUE
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int defined(void) { return 4; }
__asm__(".globl defined\n.weak something\n.macro twice name\n.quad \\name\n.endm");
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 4 && defined() != x) reach_error();
  return 0;
}

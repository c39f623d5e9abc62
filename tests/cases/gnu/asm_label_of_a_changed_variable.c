// verdict: FALSE(unreach-call)
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int x __asm__("other");
extern int y __asm__("other");
int main(void) {
  x = 3;
  y = __VERIFIER_nondet_int();
  if (x == 4)
    reach_error();
}

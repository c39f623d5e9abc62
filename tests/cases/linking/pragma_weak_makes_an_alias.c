// verdict: TRUE
// with: pragma_weak_makes_an_alias.part.c
void reach_error(void);
int r3(void) { return 6; }
#pragma weak w3 = r3
int w3(void);
int replaced(void) { return 1; }
#pragma weak replaced
int undeclared_alias(void);
int main(void) {
  if (w3() != 6 || replaced() != 2 || undeclared_alias() != 9) reach_error();
  return 0;
}

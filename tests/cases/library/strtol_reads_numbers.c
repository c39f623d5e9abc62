// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
long strtol(const char *, char **, int);
int main(void) {
  char text[4], *end;
  for (int i = 0; i < 3; i++) text[i] = __VERIFIER_nondet_char();
  text[3] = 0;
  if (strtol(text, &end, 16) == -0xa1 && end == text + 3) reach_error();
}

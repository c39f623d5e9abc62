// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int snprintf(char *, unsigned long, const char *, ...);
int main(void) {
  char text[8];
  int length = snprintf(text, sizeof text, "<%u>", __VERIFIER_nondet_uchar());
  if (length == 5 && text[1] == '2' && text[2] == '5' && text[3] == '5') reach_error();
}

// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int isalpha(int), isdigit(int), isalnum(int), toupper(int), isupper(int);
int main(void) {
  int c = __VERIFIER_nondet_int();
  if (!isalnum(c) != !(isalpha(c) || isdigit(c))) reach_error();
  if (isalpha(c) && !isupper(toupper(c))) reach_error();
}

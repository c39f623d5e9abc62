// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
char buffer[3];
char *choose(char *other) { return __VERIFIER_nondet_int() ? "ab" : other; }
int main(void) {
  char *text = choose(buffer);
  if (text == buffer)
    text[2] = 'c';
  return text[1] == "xyz"[2];
}

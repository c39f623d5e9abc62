// verdict: FALSE(valid-deref)
// property: valid-memsafety
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
int main(void) {
  char text[2] = {'a', 'b'};
  return strlen(text);
}

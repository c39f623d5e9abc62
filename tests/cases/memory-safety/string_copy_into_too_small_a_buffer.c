// verdict: FALSE(valid-deref)
// property: valid-memsafety
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
int main(void) {
  char buffer[4];
  strcpy(buffer, "abcd");
  return 0;
}

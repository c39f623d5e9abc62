// verdict: TRUE
// property: valid-memsafety
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
int main(void) {
  char buffer[5];
  strcpy(buffer, "abcd");
  return strlen(buffer) - 4;
}

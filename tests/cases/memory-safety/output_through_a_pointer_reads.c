// verdict: FALSE(valid-deref)
// property: valid-memsafety
typedef struct stream FILE;
extern FILE *stdout;
extern int fputs(const char *, FILE *);
int main(void) {
  int (*print)(const char *, FILE *) = fputs;
  char text[1] = {'a'};
  print(text, stdout);
  return 0;
}

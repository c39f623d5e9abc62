// verdict: TRUE
extern void reach_error(void);
char *strtok(char *, const char *);
int strcmp(const char *, const char *);
int main(void) {
  char text[] = ",a,,b";
  char *first = strtok(text, ","), *second = strtok(0, ",");
  if (strcmp(first, "a") || strcmp(second, "b") || strtok(0, ",")) reach_error();
}

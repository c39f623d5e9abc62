// verdict: FALSE(unreach-call)
extern void reach_error(void);
int printf(const char *, ...);
int puts(const char *);
int main(void) {
  printf("%d %s %f\n", 1, "x", 2.5);
  puts("done");
  reach_error();
}

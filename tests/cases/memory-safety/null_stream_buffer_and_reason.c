// verdict: TRUE
// property: valid-memsafety
typedef struct stream FILE;
extern FILE *stdout;
extern void setbuf(FILE *, char *);
extern void perror(const char *);
extern int fflush(FILE *);
extern int system(const char *);
int main(void) {
  setbuf(stdout, 0);
  fflush(0);
  perror(0);
  system(0);
  return 0;
}

// verdict: TRUE
typedef struct file FILE;
extern FILE *stdin;
extern void reach_error(void);
char *fgets(char *, int, FILE *);
unsigned long strlen(const char *);
int main(void) {
  char line[4];
  if (fgets(line, sizeof line, stdin) && strlen(line) > 3) reach_error();
}

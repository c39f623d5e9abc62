// verdict: FALSE(unreach-call)
typedef struct file FILE;
extern FILE *stdin;
extern void reach_error(void);
char *fgets(char *, int, FILE *);
int main(void) {
  char line[4];
  if (fgets(line, sizeof line, stdin) && line[0] == 'o' && line[1] == 'k' && line[2] == '\n') reach_error();
}

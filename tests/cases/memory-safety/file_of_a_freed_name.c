// verdict: FALSE(valid-deref)
// property: valid-memsafety
typedef struct stream FILE;
extern FILE *fopen(const char *, const char *);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  char *name = malloc(2);
  name[0] = 'a';
  name[1] = 0;
  if (!fopen(name, "r")) {
    free(name);
    fopen(name, "w");
  } else {
    free(name);
  }
  return 0;
}

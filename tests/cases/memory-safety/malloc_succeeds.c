// verdict: TRUE
// property: unreach-call
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
extern void reach_error(void);
int main(void) {
  if (!malloc(4)) reach_error();
  return 0;
}

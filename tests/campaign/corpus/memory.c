void *malloc(unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(4);
  *p = 1;
  free(p);
  return 0;
}

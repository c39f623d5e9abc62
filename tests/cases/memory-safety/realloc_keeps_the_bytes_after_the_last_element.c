// verdict: TRUE
// property: unreach-call
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
extern void reach_error(void);
int main(void) {
  unsigned char *bytes = malloc(6);
  bytes[0] = 1;
  bytes[4] = 7;
  bytes[5] = 8;
  int *numbers = (int *)bytes;
  numbers = realloc(numbers, 2 * sizeof *numbers);
  bytes = (unsigned char *)numbers;
  if (bytes[0] != 1 || bytes[4] != 7 || bytes[5] != 8) reach_error();
}

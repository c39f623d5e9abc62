// verdict: UNKNOWN
// options: --data-model ILP32
void *malloc(unsigned);
void free(void *);
void reach_error(void);
void (*release)(void *) = free;
int main(void) {
  for (int i = 0; i < 20; i++) release(malloc(268435456));
  reach_error();
  return 0;
}

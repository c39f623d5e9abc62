// verdict: UNKNOWN
// options: --data-model ILP32
void *malloc(unsigned);
void free(void *);
void reach_error(void);
int main(void) {
  for (int i = 0; i < 20; i++) free(malloc(268435456));
  reach_error();
  return 0;
}

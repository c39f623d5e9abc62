// verdict: UNKNOWN
void *aligned_alloc(unsigned long, unsigned long);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
  unsigned align = 1u << __VERIFIER_nondet_uint() % 8;
  char *a = aligned_alloc(align, 128);
  if ((unsigned long)a % align)
    reach_error();
}

// verdict: TRUE
// options: --property=unreach-call
void *aligned_alloc(unsigned long, unsigned long);
void *memalign(unsigned long, unsigned long);
void *valloc(unsigned long);
int posix_memalign(void **, unsigned long, unsigned long);
void reach_error(void);
int main(void) {
  char *a = aligned_alloc(64, 64), *b = memalign(256, 10), *c = valloc(1), *d = 0;
  int failed = posix_memalign((void **)&d, 128, 128);
  char *e = __builtin_alloca_with_align(32, 512);
  d[127] = 1;
  if (failed || (unsigned long)a % 64 || (unsigned long)b % 256 || (unsigned long)c % 4096 ||
      (unsigned long)d % 128 || (unsigned long)e % 64)
    reach_error();
}

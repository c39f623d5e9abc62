// Labels as values, tables of them, local labels.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static int run(const unsigned char *code) {
  static void *const table[] = { &&halt, &&inc, &&dec, &&dbl, &&loop };
  int acc = 0, count = 3;
  const unsigned char *pc = code;
  goto *table[*pc++];
inc: acc++; goto *table[*pc++];
dec: acc--; goto *table[*pc++];
dbl: acc *= 2; goto *table[*pc++];
loop: if (--count > 0) pc = code; goto *table[*pc++];
halt: return acc;
}
#define SKIP(x) ({ __label__ done; int r = 0; if (x) goto done; r = 1; done: r; })
int main(void) {
  P(run((unsigned char[]){ 1, 1, 3, 2, 0 }));
  P(run((unsigned char[]){ 1, 3, 4, 0 }));
  P(SKIP(1)); P(SKIP(0));
  void *where = &&there;
  int n = 0;
back:
  n++;
  if (n < 3) goto *(&&back);
  goto *where;
  P(-1);
there:
  P(n);
  return 0;
}

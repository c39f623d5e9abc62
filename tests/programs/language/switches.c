// Ranges, fall-through, declarations and loops inside, long long, no default, nested.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static int kind(int c) {
  switch (c) { case 'a' ... 'z': return 1; case 'A' ... 'Z': return 2; case '0' ... '9': return 3; default: return 0; case -5 ... -1: return 4; }
}
static int duff(int n) {
  int r = 0, k = (n + 3) / 4;
  switch (n % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while (--k > 0); }
  return r;
}
int main(void) {
  P(kind('q')); P(kind('Q')); P(kind('5')); P(kind('#')); P(kind(-3));
  for (int i = 1; i < 10; i++) P(duff(i));
  switch (0x100000001LL) { case 1: P(1); break; case 0x100000001LL: P(2); break; }
  switch ((unsigned char)300) { case 44: P(44); break; default: P(0); }
  int v = 2, w = 0;
  switch (v) { int t; case 1: t = 5; w = t; break; case 2: t = 7; w = t; switch (w) { case 7: w = 8; break; default: w = 9; } case 3: w++; }
  P(w);
  switch (v) case 2: P(3);
  switch (v) ;
  enum { A, B, C } e = C;
  switch (e) { case A: P(0); break; case B: P(1); break; case C: P(2); }
  for (int i = 0; i < 5; i++) { switch (i) { case 1: continue; case 3: goto out; default: P(i); } }
out:
  switch (v) { while (1) { case 2: P(20); break; } default: P(21); }
  return 0;
}

// Mutual recursion, ackermann, loops with goto in and out, do with continue.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static int odd(unsigned n); static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static void hanoi(int n, int from, int to, int *moves) { if (n) { hanoi(n - 1, from, 6 - from - to, moves); ++*moves; hanoi(n - 1, 6 - from - to, to, moves); } }
static int local_address(int depth) { int x = depth, *p = &x; if (depth > 0) { int r = local_address(depth - 1); return r + *p; } return x; }
int main(void) {
  P(even(10)); P(odd(7)); P(ack(2, 3)); int m = 0; hanoi(5, 1, 3, &m); P(m); P(local_address(6));
  int i = 0; goto in; while (i < 10) { i += 2; in: i++; } P(i); do { if (i++ == 12) continue; if (i > 20) break; } while (i < 30); P(i); for (;;) { if (--i < 3) goto out; } out: P(i);
  for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) { if (b == a) continue; if (b > 1) break; P(a * 10 + b); } outer: for (i = 0; i < 2; i++) { if (m-- > 29) goto outer; } P(m); while (1) { switch (m) { case 28: m = 1; continue; default: break; } break; } P(m); do ; while (0); for (; m < 5; ) m++; P(m);
  return 0;
}

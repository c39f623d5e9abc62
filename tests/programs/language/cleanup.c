// The attribute cleanup: at the end of scopes, by return, break, goto, in order.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static void done(int *p) { P(100 + *p); }
static int f(int n) { int a __attribute__((cleanup(done))) = 1; for (int i = 0; i < 3; i++) { int b __attribute__((cleanup(done))) = 10 + i; if (i == n) return a + b; if (i == n + 1) break; } { int c __attribute__((cleanup(done))) = 2, d __attribute__((cleanup(done))) = 3; if (n == 7) goto out; P(50); } out: return a; }
int main(void) { P(f(0)); P(f(2)); P(f(5)); P(f(7)); P(f(-1)); return 0; }

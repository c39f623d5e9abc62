// Variable-length arrays: parameters, sizeof, two dimensions, pointers to them, in loops.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
static long size(int n, int a[static n]) { return sizeof(int[n + 1]) + sizeof a; }
int main(void) {
  int n = 3;
  int a[n][n + 1];
  for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i * 10 + j;
  P(sizeof a); P(sizeof a[0]); P(sum(n, n + 1, a)); P(size(5, a[0]));
  int (*row)[n + 1] = a + 1;
  P((*row)[2]); P(row[1][3]); row++; P((*row)[0]); P(row - a);
  n = 10; P(sizeof a / sizeof a[0]);
  typedef int vec[n];
  n = 4; vec v; P(sizeof v / sizeof(int)); P(sizeof(vec));
  for (int k = 1; k < 4; k++) { char b[k]; for (int i = 0; i < k; i++) b[i] = i + k; P(b[k - 1]); P(sizeof b); }
  int side = 1; P(sizeof(int[side++])); P(side);
  struct { int len; char data[]; } *flex = (void *)(char[16]){ 3, 0, 0, 0, 'a', 'b' };
  P(flex->len); P(flex->data[1]); P(sizeof *flex);
  return 0;
}

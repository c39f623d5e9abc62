// Statement expressions, with jumps out of them, in conditions and nested.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
static int f(int n) {
  for (int i = 0; i < 10; i++) {
    int v = ({ if (i == n) break; if (i == 2) continue; i * 2; });
    P(v);
  }
  return ({ int s = 0; for (int k = 0; k < n; k++) s += k; s; });
}
struct s { int a, b; };
static int early(int x) { int y = ({ if (x > 3) return 99; x; }); return y + 1; }
int main(void) {
  P(MAX(3, MAX(7, 5))); P(f(4));
  P(({ struct s t = { 1, 2 }; t; }).b);
  P(early(1)); P(early(5));
  int i = 0;
  while (({ i++; i < 5; })) { }
  P(i);
  P(({ int a = 3; a += ({ int b = a; b * 2; }); a; }));
  P(({ goto out; 1; }));
  P(1);
out:
  P(2);
  P(sizeof(({ char c = 0; c; })));
  return 0;
}

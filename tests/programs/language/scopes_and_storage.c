// Shadowing, extern in blocks, static locals, tentative definitions, enums in blocks, tags, typedef names as members, for-scopes.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
int tentative; int tentative; extern int tentative; int tentative = 4; static int later(void); typedef int T; int g = 1;
static int counter(void) { static int n = 10; static int arr[] = { 1, 2 }; return n++ + arr[1]++; }
static int shadow(int x) { int r = x; { int x = 2; r += x; { extern int g; int x = g; r += x; } r += x; } for (int x = 0; x < 2; x++) { int x = 5; r += x; } return r; }
static int tag(void) { struct T { int T; } T = { 6 }; enum { g = 7 }; return T.T + g; }
static int label(int T) { T: if (T-- > 3) goto T; return T; }
int main(void) {
  P(tentative); P(counter()); P(counter()); P(shadow(1)); P(tag()); P(label(6)); P(later());
  struct node { struct node *next; int v; } a = { 0, 1 }, b = { &a, 2 }; P(b.next->v); T t = 3; P(t); { typedef char T; T u = 300; P(u); P(sizeof(T)); } P(sizeof(T));
  int i = 3; { int i = i = 4; P(i); } P(i); enum e { X = 3, Y, Z = X + 10 }; P(Y); P(Z); enum e ev = Z; P(ev); P(sizeof(enum { Q = -1 })); P(__func__[0]); P(sizeof __func__);
  goto skip; { int dead; skip: dead = 3; P(dead); }
  for (int k = 0, m = 5; k < m; k++, m--) P(k * m); do { static int once; if (once++ > 1) break; continue; } while (counter() < 100); P(counter());
  return 0;
}
static int later(void) { return tentative + 1; }

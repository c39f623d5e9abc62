// The end of the scope of tags and enumerators: controlling expressions, parameter lists, blocks.
int printf(const char*,...);
#define P(x) printf("%ld\n", (long)(x))
enum { A = 1, B = 1, C = 1, D = 1, E = 1, F = 1, G = 1 };
typedef int T1; struct tag { char c; };
int par(enum { A = 5, Z = 6 } p, struct local { int a, b; } *q) { struct local x = {1, 2}; P(A); P(Z); P(sizeof(struct local)); P(x.b); return A; }
int proto(enum { B = 7 } p);
int old(p) enum { F = 9 } p; { return F; }
int vp(struct vv { int n; } *v, int a[v->n]) { struct vv w = *v; return w.n; }
struct outer { struct inner { int i; } x; enum { IN = 4 } e; };
int main(void){
  if (sizeof(enum { A = 2 })) { P(A); } else P(A);
  P(A);
  if (0) ; else if (sizeof(enum {A = 3}) != 0) { P(A); }
  P(A);
  int n = 0; while (n++ < (int)sizeof(enum { B = 2 }) - 3) { P(B); }
  P(B);
  do { P(C); } while (sizeof(enum { C = 2 }) == 0);
  P(C);
  switch (sizeof(enum { D = 2 })) { default: P(D); }
  P(D);
  for (sizeof(enum { E = 2 }); n < 5; n++) P(E);
  P(E);
  if (sizeof(enum { T1 }) == 4) { int T1 = 3; P(T1); }
  T1 y = 3; do ; while (sizeof(enum {T1}) == 0); T1 z = 4;
  P(par(A, 0)); P(old(1)); P(F); P(B);
  if (sizeof(struct tag { int a; }) == 4) { P(sizeof(struct tag)); } P(sizeof(struct tag));
  struct inner in = { IN }; P(in.i); P(y + z);
  if (1) P(sizeof(struct tag { short s; })); else P(0); P(sizeof(struct tag));
  int k = (sizeof(enum { G = 2 }), G); P(k); P(G);
  { extern int ext; struct tag { long l[3]; }; P(sizeof(struct tag)); } P(sizeof(struct tag));
  { struct tag; struct tag *p; P(sizeof p); }
  struct vv2 { int n; } v2; P(A); P(({ enum { A = 11 }; A; })); P(A);
  int A = A == 0 ? 21 : 21; P(A); { int A = sizeof A; P(A); }
  return 0; }

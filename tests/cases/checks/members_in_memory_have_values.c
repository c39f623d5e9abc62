// verdict: TRUE
// check: uninit
extern int __VERIFIER_nondet_int(void);
typedef union { int i; float f; char c[4]; } U;
struct In { int p; unsigned q:5, r:9; };
struct S { int a; unsigned b:3, c:7; int ar[3]; struct In in; U u; double d; short s1, s2; char z1, z2, z3; };
struct S g;
static struct S make(int x) { struct S s = { .a = x }; return s; }
static struct S make2(void) { struct S s; s.a=1; s.b=1; s.c=2; s.ar[0]=s.ar[1]=s.ar[2]=0; s.in.p=1; s.in.q=1; s.in.r=2; s.u.i=2; s.d=1.0; s.s1=1; s.s2=2; s.z1=s.z2=s.z3=1; return s; }
int main(void) {
  struct S a = {0}; int t = a.a + a.b + a.c + a.in.p + a.in.q + a.in.r + a.d + a.s1 + a.s2 + a.z1+a.z2+a.z3;
  struct S b = a; t += b.a + b.b + b.c + b.in.p + b.in.q + b.in.r + b.d + b.s1 + b.s2 + b.z1+b.z2+b.z3;
  struct S c; c = make(3); t += c.a + c.b + c.c + c.in.p + c.in.q + c.in.r + c.d + c.s1 + c.s2 + c.z1+c.z2+c.z3;
  struct S d; d = g; t += d.b + d.c + d.in.q + d.s2 + d.z3;
  struct S e; e.in = a.in; t += e.in.p + e.in.q + e.in.r;
  struct S f = { 1, 2, 3, {1,2,3}, {4,5,6}, {7}, 8.0, 9, 10, 11, 12, 13 }; t += f.in.r + f.z3 + f.z2;
  for (int i = 0; i < 3; i++) { struct S h; h.a = i; h.b = i; h.b++; h.c = h.b; h.c |= 1; t += h.a + h.b + h.c; }
  struct S k; k = (struct S){ .b = 2 }; t += k.c + k.z1 + k.in.r;
  struct S l; if (__VERIFIER_nondet_int()) l = k; else l = make2(); t += l.c + l.z1 + l.in.r + l.s2 + l.z3;
  struct S m = __VERIFIER_nondet_int() ? k : l; t += m.in.r + m.z2;
  struct S arr[2] = { a, b }; struct S n; n = arr[1]; t += n.z1 + n.in.q;
  return t;
}

// Function pointers, arrays of them, pointers to arrays and members, integers as pointers, comparisons, NULL.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
typedef int op(int, int);
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static op *const ops[] = { add, &sub, 0 };
struct obj { const struct vtable *vt; int v; }; struct vtable { int (*get)(struct obj *); void (*set)(struct obj *, int); };
static int get(struct obj *o) { return o->v; } static void set(struct obj *o, int v) { o->v = v; }
static const struct vtable vt = { get, .set = set };
static int (*choose(int k))(int, int) { return k ? add : sub; }
static int apply(op f, int a, int b) { return (*f)(a, b) + (**f)(a, b); }
int garr[5] = { 1, 2, 3, 4, 5 }; int *gp = garr + 2; int *const ends[] = { garr, garr + 5, &garr[1] }; int (*parr)[5] = &garr; long diff = 0;
int main(void) {
  P(ops[0](1, 2)); P(ops[1](1, 2)); P(ops[2] == 0); P(choose(1)(5, 6)); P(apply(sub, 9, 4));
  struct obj o = { &vt, 3 }; o.vt->set(&o, 8); P(o.vt->get(&o));
  P(*gp); P(gp[-1]); P(2[garr]); P(ends[1] - ends[0]); P((*parr)[3]); P(&garr[4] - gp); P(gp > garr); P(gp == &garr[2]);
  unsigned long n = (unsigned long)gp; n += sizeof(int); int *q = (int *)n; P(*q); P((n & 3) == 0); P((char *)q - (char *)garr);
  int **pp = &gp; *pp += 1; P(**pp); (*pp)--; P(*gp++ + *gp); P(*--gp); void *vp = garr; P(((int *)vp)[1]); P(*(int *)(vp + 4)); 
  int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int (*r)[3] = m; P(r[1][2]); P(*(*(m + 1) + 1)); P(&m[1][0] - &m[0][0]); int *flat = &m[0][0]; P(flat[4]);
  const char *s = "hello"; P(*(s + 1)); P("abc"[1]); P(!s); P(s ? 1 : 0); char *e = (char *)s; while (*e) e++; P(e - s); P((_Bool)s);
  int (*fp)(int, int) = 0; P(fp == 0 || fp(1, 2)); fp = add; P(fp && fp(1, 2));
  struct { int a[4]; } in = { { 1, 2, 3, 4 } }, *ip = &in; P(ip->a[2]); P(*ip->a); int i = 1; P(ip->a[i++]); P(i);
  return 0;
}

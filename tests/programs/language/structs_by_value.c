// Structs passed, returned, assigned, compared by member, large and nested, arrays in them, through pointers and variadic-free calls.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
struct big { int a[20]; char tag; }; struct in { short s; struct { char c; long l; } m; }; struct empty { };
static struct big mk(int n) { struct big b = { { 0 }, 't' }; for (int i = 0; i < 20; i++) b.a[i] = i * n; return b; }
static int total(struct big b) { int s = 0; for (int i = 0; i < 20; i++) s += b.a[i]; b.a[0] = 99; return s; }
static struct in swap(struct in x, struct in *y) { struct in t = *y; *y = x; return t; }
static struct big rec(struct big b, int n) { if (!n) return b; b.a[n]++; return rec(b, n - 1); }
int main(void) {
  struct big b = mk(2); P(total(b)); P(b.a[0]); P(mk(3).a[4]); P(total(mk(1))); P(b.tag);
  struct in x = { 1, { 'x', 2 } }, y = { 3, { 'y', 4 } }; struct in z = swap(x, &y); P(z.s); P(z.m.l); P(y.m.c); x = y = z; P(x.s); P(y.m.l);
  P(rec(b, 5).a[3]); struct big c, *p = &c; *p = b; p->a[1] = 5; P(b.a[1]); P(c.a[1]); P((c = b).a[1]); P((1 ? b : c).a[2]);
  struct big arr[2] = { mk(1), mk(2) }; arr[0] = arr[1]; P(arr[0].a[19]); P(sizeof(struct empty)); struct empty e1, e2 = e1; (void)e2;
  struct in w = z; w.m = x.m; P(w.m.c); int k = 0; (k++, w).s; P(k); P(swap(x, &y).m.l + y.s);
  return 0;
}

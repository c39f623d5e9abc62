// Designated, nested, overriding and ranged initializers; strings; unions.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
struct point { int x, y; };
struct line { struct point a, b; int w[3]; };
struct line l1 = { .b = { .y = 4 }, .w = { [2] = 9 }, .a.x = 1 };
struct line l2 = { 1, 2, 3, 4, 5, 6, 7 };
struct line ls[] = { [1].b.x = 5, 6, { 7 }, [0] = { { 1 } }, [3] = { .w[1] = 3, 4 } };
int ranges[10] = { [0 ... 3] = 1, 2, [6 ... 8] = 3, [7] = 4 };
union u { int i; char c[4]; struct { short lo, hi; }; } u1 = { .c = { 1, 2 } }, u2 = { .hi = 5 }, u3 = { 7 };
char s1[] = "abc", s2[3] = "abc", s3[8] = { "ab" "cd" }, *s4 = "x\0y";
int matrix[][3] = { 1, 2, 3, { 4 }, 5, 6 };
int main(void) {
  P(l1.a.x); P(l1.a.y); P(l1.b.x); P(l1.b.y); P(l1.w[2]);
  P(l2.b.y); P(l2.w[2]);
  P(sizeof ls / sizeof *ls);
  for (int i = 0; i < 4; i++) { P(ls[i].a.x); P(ls[i].b.x); P(ls[i].b.y); P(ls[i].w[0]); P(ls[i].w[1]); P(ls[i].w[2]); }
  for (int i = 0; i < 10; i++) P(ranges[i]);
  P(u1.i); P(u2.i); P(u3.c[0]);
  P(sizeof s1); P(sizeof s2); P(s2[2]); P(s3[3]); P(s3[5]); P(s4[2]);
  P(sizeof matrix); P(matrix[1][0]); P(matrix[1][1]); P(matrix[2][1]);
  struct line loc = { .w = { 1, [1] = 2 }, .a = l1.a };
  P(loc.w[1]); P(loc.w[2]); P(loc.a.x); P(loc.b.y);
  loc = (struct line){ .b = { 8, 9 } };
  P(loc.a.x); P(loc.b.y); P(loc.w[1]);
  int n = 3, dyn[4] = { n, n + 1 };
  P(dyn[0] + dyn[1] * 10 + dyn[2] * 100);
  struct { struct { int x, y; }; int z; } anon = { { 1, 2 }, 3 };
  P(anon.x + anon.y * 10 + anon.z * 100);
  P(((struct point){ 3, 4 }).y); P(((int[]){ 1, 2, 3 })[2]);
  struct point *p = &(struct point){ 5, 6 };
  p->x++; P(p->x + p->y);
  return 0;
}

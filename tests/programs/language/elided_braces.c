// Elided braces around strings and compound literals, static and automatic.
int printf(const char*,...);
#define P(x) printf("%ld\n", (long)(x))
struct A { char s[4]; int x; };
struct A g[] = { "ab", 1, "cd", 2 };
struct B { struct A a[2]; char t[3]; char *p; } gb = { "ab", 1, "cd", 2, "xy", "zz" };
struct N { struct { struct { char n[3]; } i; } o; short q; } gn[] = { "a", 1, "bcd", 2, { { { "e" } }, 3 } };
char m[][3] = { "ab", "c", {"de"}, {'f'}, 'g', 'h' };
union U { char c[4]; int i; } gu[] = { "abc", "d", { .i = 5 } };
struct W { struct A a; int y; } gw = { (struct A){ "q", 3 }, 4 };
struct X { struct W w; int z; } gx = { (struct A){ "q", 3 }, 4, 5 };
struct A g2[3] = { [1] = { "ab", 1 }, "cd", 2 };
struct A g3[2] = { [0].s = "ab", 7, [1].s[1] = 'x', 'y', 'z', 9 };
int main(void){
  struct A l[] = { "ab", 1, "cd", 2 }; static struct A st[] = { "ab", 1, "cd", 2, "e" };
  P(sizeof l); P(sizeof st); P(sizeof g); P(l[0].x + l[1].x*10); P(l[1].s[1]); P(st[2].s[0]); P(st[1].x); P(g[1].s[0]);
  P(gb.a[1].x); P(gb.t[1]); P(gb.p[0]); struct B lb = { "ab", 1, "cd", 2, "xy", "zz" }; P(lb.a[1].s[0]); P(lb.t[1]); P(lb.p[1]);
  P(sizeof gn); P(gn[1].o.i.n[2]); P(gn[2].q); struct N ln[] = { "a", 1, "bcd", 2, { { { "e" } }, 3 } }; P(sizeof ln); P(ln[1].o.i.n[2]); P(ln[2].q); P(ln[1].q);
  P(sizeof m); for (int i = 0; i < (int)sizeof m; i++) P(((char*)m)[i]); char lm[][3] = { "ab", "c", {"de"}, {'f'}, 'g', 'h' }; P(sizeof lm); for (int i = 0; i < (int)sizeof lm; i++) P(((char*)lm)[i]);
  P(sizeof gu); P(gu[0].c[2]); P(gu[1].c[0]); P(gu[2].i); union U lu[] = { "abc", "d", { .i = 5 } }; P(lu[0].c[2]); P(lu[1].c[0]); P(lu[2].i);
  P(gw.a.s[0]); P(gw.y); P(gx.w.a.x); P(gx.w.y); P(gx.z); struct X lx = { (struct A){ "q", 3 }, 4, 5 }; P(lx.w.a.s[0]); P(lx.w.a.x); P(lx.z);
  struct A a1 = { "qq", 8 }; struct X ly = { a1, 4, 5 }; P(ly.w.a.x); P(ly.w.y); P(ly.z); struct X lz[2] = { a1, 1, 2, a1, 3, 4 }; P(lz[1].w.a.s[1]); P(lz[1].z);
  P(g2[2].x); P(g2[2].s[1]); P(g3[0].x); P(g3[1].s[1]); P(g3[1].s[2]); P(g3[1].s[3]);P(g3[1].x); 
  struct A l2[3] = { [1] = { "ab", 1 }, "cd", 2 }; P(l2[2].x); P(l2[0].x); struct A l3[2] = { [0].s = "ab", 7, [1].s[1] = 'x', 'y', 'z', 9 }; P(l3[1].s[3]); P(l3[1].x); P(l3[1].s[0]); P(l3[0].x);
  struct A *cl = (struct A[]){ "ab", 1, "cd", 2 }; P(cl[1].s[0]); P(cl[1].x);
  struct { char a[2][3]; int w; } k[] = { "a", "b", 1, { "c" }, 2 }; P(sizeof k); P(k[0].w); P(k[1].a[0][0]); P(k[2].w); P(k[2].a[0][0]);
  struct { const char *p; char c[3]; unsigned short h; } r[] = { "p", "c", 1, { "q", "d" } }; P(r[1].p[0]); P(r[1].c[0]); P(r[0].h);
  struct { _Bool b; enum { Q0, Q1 } e; float f; } bb[] = { 5, Q1, 1.5, 0.25, 0, 2 }; P(bb[0].b); P(bb[1].b); P(bb[1].f*2); P(bb[0].f * 2);
  unsigned char uc[] = { "\377" }; P(uc[0]); P(sizeof uc); signed char sc[2] = "abc"; P(sc[1]); __WCHAR_TYPE__ wc[] = L"ab"; P(sizeof wc / sizeof *wc); P(wc[1]); struct { __WCHAR_TYPE__ w[2]; int x; } wl[] = { L"a", 3 }; P(wl[0].x);
  int e1[2][2][2] = { 1, 2, { 3, { 4 } }, 5 }; for (int i = 0; i < 8; i++) P((&e1[0][0][0])[i]);
  int e2[][2] = { [2] = { 1 }, 3, 4, 5 }; P(sizeof e2); P(e2[2][0]); P(e2[3][0]); P(e2[4][0]);
  struct { int a, b; struct { int c, d; }; int e; } an[] = { 1, 2, 3, 4, 5, [0].c = 7, 8, 9 , [1].d = 10, 11}; P(sizeof an); P(an[0].c); P(an[0].d); P(an[0].e); P(an[1].d); P(an[1].e);
  return 0; }

// The evaluation of operands by `sizeof`, `typeof` and declarators of variable length.
int printf(const char*,...);
#define P(x) printf("%ld\n", (long)(x))
int f(int n, int a[n++]) { return n; }
int f2(int n, int a[][n++]) { return n; }
int f3(int n, int (*a)[n++], int (*b)[n++]) { return n; }
int f4(int n, int a[n++][n++]) { return n; }
int g; int eff(void){ g++; return 3; }
int f5(int a[eff()]) { return g; }
int f6(int a[static eff()], int (*p)(int b[eff()])) { return g; }
int main(void){
  int i = 0, n = 3; int a[2][n]; int (*p)[n] = a; int (**pp)[n] = &p; 
  P( (int)sizeof(a[i++])); P( i);
  P( (int)sizeof(*p++)); P( (int)(p-a)); p=a;
  P( (int)sizeof(a[i++][0])); P( i);
  P( (int)sizeof(int[n++])); P( n);
  P( (int)sizeof(int (*)[n++])); P( n);
  i=0; typeof(a[i++]) b; P( (int)sizeof b);P( i);
  typeof(p++) q; P( (int)(p-a)); p=a;
  typeof(*pp++) q2; P( (int)(pp-&p)); pp=&p;
  typeof(int[n++]) c; P( (int)sizeof c);P( n);
  typeof(int (*)[n++]) d; P( (int)sizeof d);P( n);
  P( (int)_Alignof(int[n++])); P( n);
  P( (int)__alignof__(a[i++])); P( i);
  void *v = (int (*)[n++])p; P( n);
  int (*r)[n++] = 0; P( n);
  P( f(3,0));P( f2(3,0));P( f3(3,0,0));P( f4(3,0));P( f5(0));P( f6(0,0));
  n = 3; i = 0; P( (int)sizeof((a)[i++])); P( i);
  P( (int)sizeof(({ i++; a[0]; }))); P( i);
  P( (int)sizeof((i++, a[0]))); P( i);
  P( (int)sizeof(*(i++, &a[0]))); P( i);
  P( (int)sizeof(*(int (*)[n++])v)); P( n);
  P( (int)sizeof(sizeof(int[n++]))); P( n);
  P( (int)sizeof(typeof(int[n++]))); P( n);
  typedef int T[n++]; P( n);P( (int)sizeof(T)); T t; n = 100; P( (int)sizeof t);
  extern int ext(int m, int x[m++]); 
  int (*fp)(int m, int x[n++]) = 0; P( n);
  i = 0; switch (sizeof(a[i++])) { default: P( i);} 
  i = 0; int z = _Generic(a[i++], int*: 1, default: 2); P( z);P( i);
  i = 0; __typeof__(a[i++][0]) zz = 1; P( i);
  i = 0; z = sizeof(a[i++]) + sizeof(a[i++]); P( z);P( i);
  n = 2; int m3[n][n+1]; P( (int)sizeof m3);P( (int)sizeof m3[0]);P( (int)sizeof(m3[0][0]));
  i = 0; for (int k = 0; k < 3; k++) { int w[k+1]; i += sizeof w; } P( i);
  return 0; }

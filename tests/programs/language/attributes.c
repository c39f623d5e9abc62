// packed, aligned, mode, transparent_union, vector sizes of structs, may_alias, cleanup-free.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
struct __attribute__((packed)) a { char c; int i; long l; };
struct b { char c; int i __attribute__((packed)); long l; };
struct c { char c; int i __attribute__((aligned(16))); } __attribute__((aligned(32)));
typedef int __attribute__((aligned(8))) aligned_int;
struct d { char c; aligned_int i; };
typedef unsigned byte __attribute__((mode(QI)));
typedef int wide __attribute__((mode(DI)));
typedef union __attribute__((transparent_union)) { int *ip; long *lp; } any;
static long get(any p) { return *p.ip; }
struct packed_array { char c; struct a as[2]; } ;
#pragma pack(push, 2)
struct e { char c; int i; };
#pragma pack(pop)
struct f { char c; int i; };
#pragma pack(1)
struct g { char c; int b : 3; int : 0; int d : 9; long l; struct f n; };
#pragma pack(push, 4)
struct h { char c; long l; double d; short s __attribute__((aligned(8))); };
#pragma pack(pop)
struct i { short s; int i; };
#pragma pack()
union j { char c; long l; };
enum __attribute__((packed)) small { S = 1 };
static int __attribute__((noinline, const)) square(int x) { return x * x; }
static int unused __attribute__((unused)) = 3;
int main(void) {
  P(sizeof(struct a)); P(sizeof(struct b)); P(sizeof(struct c)); P(sizeof(struct d)); P(sizeof(byte)); P(sizeof(wide)); P(sizeof(struct packed_array)); P(sizeof(struct e)); P(sizeof(struct f)); P(sizeof(struct g)); P(__builtin_offsetof(struct g, l)); P(sizeof(struct h)); P(__builtin_offsetof(struct h, s)); P(_Alignof(struct h)); P(sizeof(struct i)); P(sizeof(union j)); struct g gg = { 1, -2, 300, 4 }; P(gg.b); P(gg.d); P(gg.l); P(sizeof(enum small)); P(_Alignof(struct c)); P(__builtin_offsetof(struct c, i));
  struct a x = { 1, 2, 3 }; P(x.i); x.l = -5; P(x.l); int *ip = &x.i; *ip = 77; P(x.i);
  int i = 42; long l = 43; P(get(&i)); P(get(&l)); byte y = 300; P(y); P(square(7));
  struct packed_array pa = { 0, { { 1, 2, 3 }, { 4, 5, 6 } } }; P(pa.as[1].i); P((char *)&pa.as[1].l - (char *)&pa);
  struct c arr[2]; P((char *)&arr[1] - (char *)&arr[0]); P((unsigned long)&arr[1].i % 16);
  return 0;
}

// Zero-length arrays, flexible members, empty structs in arrays, sizeof of them, static initializers of flexible members.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
struct z { int n; int data[0]; }; struct f { int n; char data[]; }; struct f sf = { 3, { 1, 2, 3 } }; struct f ss = { 2, "ab" }; struct one { int n; int d[1]; };
struct e { }; struct h { struct e e; int x; } hh = { { }, 4 };
int main(void) {
  P(sizeof(struct z)); P(sizeof(struct f)); P(sf.data[2]); P(ss.data[1]); P(sizeof sf); P(hh.x); P(sizeof hh); char buf[64] __attribute__((aligned(8))); struct z *z = (struct z *)buf; z->n = 2; z->data[0] = 5; z->data[1] = 6; P(z->data[1]); P(*(int *)(buf + 8)); P((char *)z->data - buf); int none[0]; P(sizeof none); struct e arr[3]; P(sizeof arr);
  struct one *o = (struct one *)buf; o->d[3] = 7; P(*(int *)(buf + 16)); return 0;
}

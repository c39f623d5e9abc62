// verdict: UNKNOWN
extern void reach_error(void);
void ext(void *);
struct S { char c; short s; };
int main(void) {
  struct S a[2];
  ((char *)a)[5] = 0;
  ext(a);
  if (((char *)a)[5] == 7) reach_error();
}

// verdict: UNKNOWN
extern void reach_error(void);
void ext(void *);
struct S { char c; int i; };
int main(void) {
  struct S s;
  s.c = 1;
  s.i = 2;
  ((char *)&s)[1] = 5;
  ext(&s);
  if (((char *)&s)[1] == 0) reach_error();
}

// verdict: TRUE
extern void reach_error(void);
void ext(void *);
struct S { char c; int i; };
static struct S other;
int main(void) {
  struct S s;
  ((char *)&other)[1] = 5;
  ext(&s);
  s.c = 1;
  s.i = 2;
  ((char *)&s)[1] = 7;
  if (((char *)&other)[1] != 5) reach_error();
  if (((char *)&s)[1] != 7 || s.c != 1 || s.i != 2) reach_error();
}

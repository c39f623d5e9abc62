// verdict: TRUE
extern void reach_error(void);
struct T { char c; int i; };
struct S { int first; struct T rest; };
int main(void) {
  for (int i = 0; i < 3; i++) {
    struct S s = {i};
    // Implicitly initialized: zero.
    if (((char *)&s)[5] != 0 || s.rest.c != 0 || s.rest.i != 0 || s.first != i) reach_error();
    ((char *)&s)[5] = 1;
  }
}

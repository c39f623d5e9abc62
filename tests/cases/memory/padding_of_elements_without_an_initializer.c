// verdict: TRUE
extern void reach_error(void);
struct S { char c; int i; };
int main(void) {
  struct S a[3] = {[1] = {1, 2}}, b[300] = {{1, 2}}, none = {};
  for (int i = 1; i < 4; i++)
    if (((char *)a)[i] || ((char *)a)[16 + i] || ((char *)b)[8 * 299 + i] || ((char *)&none)[i])
      reach_error();
  if (a[1].c != 1 || a[1].i != 2 || a[2].i != 0 || b[0].i != 2) reach_error();
}

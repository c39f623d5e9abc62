// verdict: TRUE
extern void reach_error(void);
struct S { char c; int i; };
static struct S s = {1, 2}, t[2] = {{3, 4}};
static long double l = 1;
int main(void) {
  static struct S u = {5, 6};
  for (int i = 1; i < 4; i++)
    if (((char *)&s)[i] || ((char *)t)[i] || ((char *)&u)[i]) reach_error();
  if (((char *)&l)[11]) reach_error();
}

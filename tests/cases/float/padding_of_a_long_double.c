// verdict: FALSE(unreach-call)
extern void reach_error(void);
static int padding(void) {
  long double l;
  ((char *)&l)[10] = 7;
  l = 1;
  return ((char *)&l)[10];
}
int main(void) { if (padding() == 7) reach_error(); }

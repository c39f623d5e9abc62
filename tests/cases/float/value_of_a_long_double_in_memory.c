// verdict: TRUE
extern void reach_error(void);
static void set(long double *l) { *l = 1.5L; }
int main(void) {
  long double l;
  struct { char c; long double l; } s = {1, 2};
  set(&l);
  set(&s.l);
  if (l != 1.5L || s.l != l || ((unsigned char *)&l)[9] != 0x3f) reach_error();
}

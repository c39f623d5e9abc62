// verdict: TRUE
extern void reach_error(void);
struct part { char a; short b; };
struct whole {
  char x;
  struct { char y; long z; };
  struct part parts[2];
  char name[5];
  int k;
};
int main(void) {
  struct whole w = {.name = "abc", .parts[1].b = 7, .z = 9}, *p = &w;
  if (((char *)&w.parts[0])[1] != 0) reach_error();
  if (p->name[2] != 'c' || p->name[4] || p->parts[1].b != 7 || p->parts[1].a) reach_error();
  if (p->z != 9 || p->y || p->k || p->x) reach_error();
}

// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct part { char a; short b; };
struct whole {
  char x;
  struct { char y; long z; };
  struct part parts[2];
  char name[5];
  int k;
} __attribute__((aligned(64)));
int main(void) {
  struct whole w = {.name = "abc", .parts[1].b = 7, .z = 9};
  unsigned char *bytes = (unsigned char *)&w;
  if (w.parts[0].a || w.parts[1].b != 7 || w.z != 9) return 0;
  // Padding of the unnamed structure and of the whole.
  if (bytes[9] == 3 && bytes[63] == 9) reach_error();
}

// verdict: TRUE
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
struct padded { char a; int b; };
int main(void) {
  struct padded x, y;
  memset(&x, 0x11, sizeof x);
  x.a = 1;
  memcpy(&y, &x, sizeof x);
  if (((unsigned char *)&y)[2] != 0x11 || y.a != 1 || y.b != 0x11111111) reach_error();
}

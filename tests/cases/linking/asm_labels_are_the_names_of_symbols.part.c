int hidden(void) __asm__("visible");
int hidden(void) { return 4; }
extern int known __asm__("object");
int set_object(int value) {
  int old = known;
  known = value;
  return old;
}

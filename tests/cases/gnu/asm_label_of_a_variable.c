// verdict: TRUE
void reach_error(void);
int x __asm__("other");
extern int y __asm__("other");
int main(void) {
  x = 3;
  if (y != 3)
    reach_error();
}

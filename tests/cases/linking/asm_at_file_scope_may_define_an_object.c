// verdict: UNKNOWN
void reach_error(void);
extern int other;
int real = 4;
__asm__(".globl other\n.set other, real");
int main(void) {
  if (other != 4) reach_error();
  return 0;
}

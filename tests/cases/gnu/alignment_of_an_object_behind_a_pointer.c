// verdict: UNKNOWN
void reach_error(void);
typedef char C4 __attribute__((aligned(4)));
C4 *p;
int main(void) {
  if (__alignof__(*p) != 4) reach_error();
  return 0;
}

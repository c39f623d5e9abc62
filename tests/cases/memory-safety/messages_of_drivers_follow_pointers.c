// verdict: UNKNOWN
// property: valid-memsafety
extern int printk(const char *, ...);
int main(void) {
  char text[1] = {'a'};
  printk("<1> %pV\n", text);
  return 0;
}

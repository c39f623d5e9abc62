// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int printk(const char *, ...);
int main(void) {
  char text[1] = {'a'};
  printk("<1> %d %p\n", 1, text);
  printk("<1> %s\n", text);
  return 0;
}

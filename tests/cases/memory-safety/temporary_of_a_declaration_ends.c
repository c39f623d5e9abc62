// verdict: FALSE(valid-deref)
// property: valid-memsafety
struct text { char c[4]; };
struct text make(void) { return (struct text){"abc"}; }
int main(void) {
  char *p = make().c, *temporary = p;
  return *temporary;
}

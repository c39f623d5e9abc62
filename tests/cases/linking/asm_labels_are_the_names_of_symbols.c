// verdict: TRUE
// with: asm_labels_are_the_names_of_symbols.part.c
void reach_error(void);
int later(void);
int foo(void) __asm__("later");
int later(void) { return 3; }
static int internal(void) { return 5; }
int through_label(void) __asm__("internal");
int visible(void);
extern int other_object __asm__("object");
int object = 7;
int set_object(int);
int main(void) {
  if (foo() != 3 || through_label() != 5 || visible() != 4) reach_error();
  if (other_object != 7 || set_object(8) != 7 || object != 8) reach_error();
  int (*p)(void) = foo;
  if (p != later || p() != 3) reach_error();
  return 0;
}

// verdict: TRUE
// with: aliases_are_the_function_and_the_object.part.c
void reach_error(void) {}
int second(int);
extern int other_name;
extern int value;
int main(void) {
  other_name = 5;
  if (second(4) != 9 || value != 5) reach_error();
  return 0;
}

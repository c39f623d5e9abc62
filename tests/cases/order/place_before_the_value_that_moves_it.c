// verdict: FALSE(unreach-call)
void reach_error(void);
struct node { struct node *next; int value; } a, b;
struct node *first = &a;
int move(void) { first = &b; return 5; }
int main(void) {
  first->value = move();
  if (a.value == 5)
    reach_error();
}

// verdict: TRUE
extern void reach_error(void);
struct node { int value; struct node *next; } c = { 3, 0 }, b = { 2, &c }, a = { 1, &b };
int main(void) {
    int sum = 0;
    for (struct node *n = &a; n; n = n->next) sum += n->value;
    if (sum != 6) reach_error();
}

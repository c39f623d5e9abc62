// verdict: FALSE(valid-deref)
// property: valid-memsafety
struct pair { int a, b; } pair;
int get(struct pair *p, struct pair *q, int c) { return (c ? *p : *q).b + p->a; }
int main(void) { return get(0, &pair, 0); }

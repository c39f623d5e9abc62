// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int a = 1, b = 2, *p = &a, **pp = &p;
    **pp = 5; *pp = &b; **pp = 6;
    if (a != 5 || b != 6 || p != &b) reach_error();
}

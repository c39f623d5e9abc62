// verdict: TRUE
extern void reach_error(void);
enum { A = 1, B = 1 };
int f(enum { A = 5 } x, struct tag { char c[A]; } *p) { struct tag t; return sizeof t.c + (A == x); }
int main(void) {
    if (sizeof(enum { A = 2 })) { if (A != 2) reach_error(); } else if (A != 2) reach_error();
    do { if (A != 1) reach_error(); } while (sizeof(enum { A = 3 }) == 0);
    int n = 1;
    while (n++ < (int)sizeof(enum { A = 4 }) - 2) { if (A != 4) reach_error(); }
    switch (sizeof(enum { B = 6 })) { default: if (B != 6) reach_error(); }
    if (A != 1 || B != 1 || f(5, 0) != 6) reach_error();
    return 0;
}

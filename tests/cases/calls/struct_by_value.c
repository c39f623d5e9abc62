// verdict: TRUE
extern void reach_error(void);
struct pair { int a; char b[3]; };
struct pair swap(struct pair p) { p.a = p.b[1]; p.b[1] = 9; return p; }
int main(void) {
    struct pair p = { 1, { 2, 3, 4 } };
    struct pair q = swap(p);
    if (p.a != 1 || p.b[1] != 3 || q.a != 3 || q.b[1] != 9 || q.b[2] != 4) reach_error();
}

// verdict: TRUE
extern void reach_error(void);
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 9; _Bool d : 1; };
int main(void) {
    struct bits s = { 0 };
    s.a = 9; s.b = 15; s.c = 511; s.d = 4;
    if (s.a != 1 || s.b != 15 || s.c != 511 || s.d != 1) reach_error();
    s.b = 16;
    if (s.b != -16 || s.a != 1) reach_error();
    s.c++;
    if (s.c != 0 || s.d != 1) reach_error();
}

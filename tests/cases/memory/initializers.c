// verdict: TRUE
extern void reach_error(void);
int a[6] = { [2] = 7, 8, [0] = 1 };
struct s { int x; struct { char y, z[3]; } in; } t[] = { { .in.z = { 1, 2 }, .x = 4 }, { 5, { 6 } } };
const char *word = "abc";
char local[] = "hi";
int main(void) {
    if (a[0] != 1 || a[2] != 7 || a[3] != 8 || a[5] != 0) reach_error();
    if (sizeof t / sizeof t[0] != 2 || t[0].x != 4 || t[0].in.z[1] != 2 || t[1].in.y != 6 || t[1].in.z[0] != 0) reach_error();
    if (word[2] != 'c' || word[3] != 0 || sizeof local != 3 || local[1] != 'i') reach_error();
    int m[2][3] = { { 1 }, { 2, 3 } };
    if (m[0][1] != 0 || m[1][1] != 3 || m[1][2] != 0) reach_error();
    int *compound = (int[]){ 4, 5, 6 };
    if (compound[1] != 5) reach_error();
}

// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int x = 3;
    int y = ({ int t = x * 2; t + 1; });
    typeof(y) z = y ?: 5;
    if (z != 7 || __builtin_expect(y == 7, 1) != 1) reach_error();
    int w = 0 ?: 9;
    if (w != 9) reach_error();
}

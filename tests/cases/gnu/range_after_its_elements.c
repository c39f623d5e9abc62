// verdict: TRUE
extern void reach_error(void);
struct pair { int x, y; };
struct named { char name[4]; struct pair pairs[2]; };

static int rows[3][2] = { 1, [0 ... 2] = { 5, 6 } };
static struct pair pairs[4] = { { 1, 2 }, { .y = 3 }, { 4, 5 }, [0 ... 2] = { 64 }, 7 };
static char texts[3][4] = { "abc", "def", "ghi", [0 ... 1] = "z" };

int main(void) {
    int cells[2][2] = { { 1, 2 }, { 3, 4 }, [0 ... 1] = { 5, 6 } };
    struct pair some[3] = { [0 ... 2] = { 5, 6 }, [1].x = 7, 9, [0 ... 1].y = 3 };
    struct named last[2] = { { "ab", { { 1, 2 }, { 3, 4 } } }, [0 ... 1].pairs[1] = { .y = 8 } };
    if (rows[0][0] != 5 || rows[1][1] != 6 || rows[2][0] != 5)
        reach_error();
    if (pairs[0].x != 64 || pairs[0].y != 0 || pairs[1].y != 0 || pairs[2].y != 0 || pairs[3].x != 7)
        reach_error();
    if (texts[0][1] != 0 || texts[1][0] != 'z' || texts[1][2] != 0 || texts[2][2] != 'i')
        reach_error();
    for (int i = 0; i < 2; i++)
        if (cells[i][0] != 5 || cells[i][1] != 6)
            reach_error();
    if (some[0].x != 5 || some[0].y != 3 || some[1].x != 7 || some[1].y != 3 || some[2].x != 5)
        reach_error();
    if (last[0].name[1] != 'b' || last[0].pairs[0].y != 2 || last[0].pairs[1].x != 0)
        reach_error();
    if (last[1].pairs[1].y != 8 || last[1].pairs[0].x != 0)
        reach_error();
    return 0;
}

// verdict: TRUE
extern void reach_error(void);
struct entry { char s[4]; int x; };
static struct entry fixed[] = { "ab", 1, "cd", 2 };
int main(void) {
    struct entry local[] = { "ab", 1, "cd", 2, { "e" } };
    int zero = {};
    if (sizeof fixed != 2 * sizeof(struct entry) || sizeof local != 3 * sizeof(struct entry)) reach_error();
    if (fixed[1].s[0] != 'c' || fixed[1].x != 2 || local[1].s[1] != 'd' || local[1].x != 2) reach_error();
    if (local[0].x != 1 || local[2].s[0] != 'e' || local[2].x != 0 || zero) reach_error();
    return 0;
}

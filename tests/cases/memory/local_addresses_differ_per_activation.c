// verdict: TRUE
extern void reach_error(void);
int check(int depth, int *outer) {
    int mine = depth;
    if (outer && (outer == &mine || *outer != depth - 1)) reach_error();
    return depth < 3 ? check(depth + 1, &mine) : mine;
}
int main(void) { check(0, 0); }

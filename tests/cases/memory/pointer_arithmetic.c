// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int a[5] = { 10, 11, 12, 13, 14 };
    int *p = a + 1, *q = &a[4];
    if (q - p != 3 || *(q - 2) != 12 || p[2] != 13 || !(p < q)) reach_error();
    p++; --q;
    if (*p++ != 12 || *p != 13 || p != q) reach_error();
    int (*whole)[5] = &a;
    if ((*whole)[2] != 12 || (char *)(whole + 1) - (char *)a != 20) reach_error();
}

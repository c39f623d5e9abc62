// verdict: TRUE
extern void reach_error(void);
int main(void) {
    char c = (char)200;
    if (c != -56) reach_error();
    unsigned char u = 200;
    if (u + 100 != 300 || (unsigned char)(u + 100) != 44) reach_error();
    signed char m = -128;
    if (-m != 128) reach_error();
}

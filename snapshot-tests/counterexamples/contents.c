/* Contents that the environment chooses are inputs where they are read. */
extern void *malloc(unsigned long);
extern void reach_error(void);
extern int limits[3];
extern short level;

int main(void) {
    int buffer[2];
    unsigned char *block = malloc(8);
    int fresh;
    buffer[0] = 1;
    if (limits[1] == 11 && level == 12 && buffer[1] == 13 && block[3] == 'x' && fresh == 15)
        reach_error();
    return 0;
}

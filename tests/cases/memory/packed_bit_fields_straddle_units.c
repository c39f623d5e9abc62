// verdict: TRUE
extern void reach_error(void);
#pragma pack(1)
struct header { unsigned char a : 3, b : 7, c : 6; };
#pragma pack()
struct __attribute__((packed)) other { unsigned char a : 3, b : 7, c : 6; };
int main(void) {
    struct header h = { 5, 0x55, 0x2a };
    struct other o = { 5, 0x55, 0x2a };
    unsigned char *p = (unsigned char *)&h, *q = (unsigned char *)&o;
    if (sizeof h != 2 || p[0] != 0xad || p[1] != 0xaa || sizeof o != 2 || q[0] != 0xad || q[1] != 0xaa) reach_error();
    h.b = 0;
    if (h.a != 5 || h.c != 0x2a) reach_error();
    return 0;
}

// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
// decided-by: bmc
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static unsigned table[256];
static void fill(void) {
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder & 1 ? remainder >> 1 ^ 0xedb88320u : remainder >> 1;
        table[byte] = remainder;
    }
}
int main(void) {
    fill();
    unsigned char data[2] = {__VERIFIER_nondet_uchar(), 0};
    unsigned checksum = ~0u;
    for (int i = 0; i < 2; i++) checksum = table[(checksum ^ data[i]) & 255] ^ checksum >> 8;
    if (data[0] == 'a' && ~checksum != 0x47d30fa6u) {
        unsigned other = ~0u;
        for (int i = 0; i < 2; i++) {
            other ^= data[i];
            for (int bit = 0; bit < 8; bit++) other = other & 1 ? other >> 1 ^ 0xedb88320u : other >> 1;
        }
        if (other != checksum) reach_error();
    }
}

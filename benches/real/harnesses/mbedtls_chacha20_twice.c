// root: mbedtls-sys-auto-2.28.15
// include: vendor/include vendor/library
// unwind: 65
// expected: true
#include "inputs.h"
#include "vendor/library/chacha20.c"
#include "vendor/library/platform_util.c"

int main(void)
{
    unsigned char key[32], nonce[12], in[5], cipher[5], out[5];
    inputs(key, sizeof key);
    inputs(nonce, sizeof nonce);
    inputs(in, sizeof in);
    mbedtls_chacha20_crypt(key, nonce, 1, sizeof in, in, cipher);
    mbedtls_chacha20_crypt(key, nonce, 1, sizeof in, cipher, out);
    for (size_t i = 0; i < sizeof in; i++)
        if (out[i] != in[i])
            fail("decrypted");
    return 0;
}

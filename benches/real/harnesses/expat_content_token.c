// root: expat-sys-2.1.6
// include: expat/lib
// unwind: 12
// expected: true
#include "inputs.h"
#include "expat/lib/xmltok.c"

int main(void)
{
    char in[6];
    const ENCODING *utf8 = XmlGetUtf8InternalEncoding();
    const char *next = in;
    inputs(in, sizeof in);
    int token = XmlContentTok(utf8, in, in + sizeof in, &next);
    if (token > 0 && (next <= in || next > in + sizeof in))
        fail("token");
    return 0;
}

// Functions and macros of <ctype.h> for all arguments.
#include <ctype.h>
#include <stdio.h>

int main(void) {
  for (int c = -1; c < 256; c++) {
    printf("%ld\n", (long)isalpha(c) + 3 * isdigit(c) + 5 * isalnum(c) + 7 * isspace(c) + 11 * isupper(c) + 13 * islower(c));
    printf("%ld\n", (long)isxdigit(c) + 3 * ispunct(c) + 5 * isprint(c) + 7 * isgraph(c) + 11 * iscntrl(c) + 13 * isblank(c));
    printf("%ld\n", (long)(isalpha)(c) + 3 * (isdigit)(c) + 5 * (isalnum)(c) + 7 * (isspace)(c) + 11 * (isupper)(c));
    printf("%ld\n", (long)(isxdigit)(c) + 3 * (ispunct)(c) + 5 * (isprint)(c) + 7 * (isgraph)(c) + 11 * (iscntrl)(c));
    printf("%ld\n", (long)(islower)(c) + 3 * (isblank)(c) + 5 * isascii(c) + 7 * toascii(c));
    printf("%ld\n", (long)tolower(c) + 1000 * toupper(c));
    printf("%ld\n", (long)(tolower)(c) + 1000 * (toupper)(c));
  }
}

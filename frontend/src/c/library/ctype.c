// <ctype.h> in the C locale. The character classes are the bits of glibc's table, so the functions
// and the header macros that read the table return the same values as glibc. The table has entries
// from -128 on; those outside of ASCII are 0.

enum {
  UPPER = 0x0100,
  LOWER = 0x0200,
  ALPHA = 0x0400,
  DIGIT = 0x0800,
  HEXADECIMAL = 0x1000,
  SPACE = 0x2000,
  PRINTED = 0x4000,
  GRAPHIC = 0x8000,
  BLANK = 0x0001,
  CONTROL = 0x0002,
  PUNCTUATION = 0x0004,
  ALPHANUMERIC = 0x0008,
};

int isupper(int c) { return c >= 'A' && c <= 'Z' ? UPPER : 0; }
int islower(int c) { return c >= 'a' && c <= 'z' ? LOWER : 0; }
int isalpha(int c) { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ? ALPHA : 0; }
int isdigit(int c) { return c >= '0' && c <= '9' ? DIGIT : 0; }
int isxdigit(int c) {
  return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f' ? HEXADECIMAL : 0;
}
int isspace(int c) { return c == ' ' || c >= '\t' && c <= '\r' ? SPACE : 0; }
int isprint(int c) { return c >= ' ' && c <= '~' ? PRINTED : 0; }
int isgraph(int c) { return c > ' ' && c <= '~' ? GRAPHIC : 0; }
int isblank(int c) { return c == ' ' || c == '\t' ? BLANK : 0; }
int iscntrl(int c) { return c >= 0 && c < ' ' || c == 127 ? CONTROL : 0; }
int isalnum(int c) {
  return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ? ALPHANUMERIC : 0;
}
int ispunct(int c) {
  return c > ' ' && c <= '~' && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') ? PUNCTUATION : 0;
}
int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

static const unsigned short classes[384] = {
  [128] =
  0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
  0x0002, 0x2003, 0x2002, 0x2002, 0x2002, 0x2002, 0x0002, 0x0002,
  0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
  0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
  0x6001, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
  0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
  0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808,
  0xd808, 0xd808, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
  0xc004, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xc508,
  0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
  0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
  0xc508, 0xc508, 0xc508, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
  0xc004, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xc608,
  0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
  0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
  0xc608, 0xc608, 0xc608, 0xc004, 0xc004, 0xc004, 0xc004, 0x0002,
};
static const unsigned short *class_table = classes + 128;

const unsigned short **__ctype_b_loc(void) {
  return &class_table;
}

static int lower[384], upper[384];
static int *lower_table, *upper_table;

const int **__ctype_tolower_loc(void) {
  if (!lower_table) {
    for (int c = -128; c < 256; c++) lower[c + 128] = tolower(c);
    lower_table = lower + 128;
  }
  return (const int **)&lower_table;
}

const int **__ctype_toupper_loc(void) {
  if (!upper_table) {
    for (int c = -128; c < 256; c++) upper[c + 128] = toupper(c);
    upper_table = upper + 128;
  }
  return (const int **)&upper_table;
}

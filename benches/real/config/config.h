/* Oniguruma for 64 bits. */
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOIDP 8

/* MozJPEG without SIMD. */
#define JPEG_LIB_VERSION 80
#define BITS_IN_JSAMPLE 8
#define HAVE_STDDEF_H 1
#define HAVE_STDLIB_H 1

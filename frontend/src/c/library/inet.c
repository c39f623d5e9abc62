// The byte orders of <arpa/inet.h>, for little-endian machines.

unsigned htonl(unsigned x) {
  return __builtin_bswap32(x);
}

unsigned ntohl(unsigned x) {
  return __builtin_bswap32(x);
}

unsigned short htons(unsigned short x) {
  return __builtin_bswap16(x);
}

unsigned short ntohs(unsigned short x) {
  return __builtin_bswap16(x);
}

/* Serial lines under qemu-user, whose older versions do not know `termios2` (TCGETS2 and its like): asked for by that, a terminal is given by
   `termios`, which they know. Speeds are remembered and no more: a pseudo-terminal has none. For packaging/arm64.sh only. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLAIN = 36, CFLAG = 8, CBAUD = 0010017, B38400 = 0000017, TCGETS = 0x5401, TCSETS = 0x5402, TCGETS2 = 0x802c542a, TCSETS2 = 0x402c542b };

static unsigned rate = B38400, speeds[2] = { 38400, 38400 };

int ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    char *at = va_arg(more, char *);
    va_end(more);
    unsigned wanted = (unsigned)request, flags;
    char plain[PLAIN];
    if (wanted == (unsigned)TCGETS2) {
        long failed = syscall(SYS_ioctl, fd, TCGETS, plain);
        if (failed)
            return failed;
        memcpy(&flags, plain + CFLAG, sizeof flags);
        flags = (flags & ~CBAUD) | rate;
        memcpy(plain + CFLAG, &flags, sizeof flags);
        memcpy(at, plain, PLAIN);
        memcpy(at + PLAIN, speeds, sizeof speeds);
        return 0;
    }
    if (wanted >= (unsigned)TCSETS2 && wanted <= (unsigned)TCSETS2 + 2) {
        memcpy(plain, at, PLAIN);
        memcpy(speeds, at + PLAIN, sizeof speeds);
        memcpy(&flags, plain + CFLAG, sizeof flags);
        rate = flags & CBAUD;
        flags = (flags & ~CBAUD) | B38400;
        memcpy(plain + CFLAG, &flags, sizeof flags);
        return syscall(SYS_ioctl, fd, TCSETS + (wanted - TCSETS2), plain);
    }
    return syscall(SYS_ioctl, fd, request, at);
}

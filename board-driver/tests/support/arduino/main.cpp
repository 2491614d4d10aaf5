// Enough of an Arduino to run the sketch of docs/boards.md on this machine: pins, a serial port on standard input and output,
// and under the pins a board whose squares change as the command line says: LOOP:SQUARE, such as 40:12, toggles a square.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

typedef uint8_t byte;
enum { LOW, HIGH };
enum { INPUT, OUTPUT, INPUT_PULLUP };

static bool standing[64];
static int mode[100], level[100];

struct SerialPort {
    void begin(long) {}
    void print(char c) { putchar(c); }
    void print(const char *text) { fputs(text, stdout); }
    void println() { fputs("\r\n", stdout); fflush(stdout); }
    int read() {
        unsigned char c;
        return ::read(0, &c, 1) == 1 ? c : -1;
    }
} Serial;

void pinMode(int pin, int to) { mode[pin] = to; }
void digitalWrite(int pin, int to) { level[pin] = to; }
void delay(int) { usleep(200); }
void delayMicroseconds(int) {}

// A file is pulled down by every closed switch in a row that is driven low.
int digitalRead(int pin) {
    if (mode[pin] != INPUT_PULLUP) abort();
    for (int row = 0; row < 8; row++)
        if (mode[22 + row] == OUTPUT && level[22 + row] == LOW && standing[row * 8 + pin - 30]) return LOW;
    return HIGH;
}

#include SKETCH

int main(int argc, char **argv) {
    for (int s = 0; s < 64; s++) standing[s] = s < 16 || s >= 48;
    fcntl(0, F_SETFL, O_NONBLOCK);
    setup();
    for (int n = 0; n < 400; n++) {
        for (int a = 1; a < argc; a++) {
            int when = 0, square = 0;
            if (sscanf(argv[a], "%d:%d", &when, &square) == 2 && when == n) standing[square] = !standing[square];
        }
        loop();
    }
    fflush(stdout);
}

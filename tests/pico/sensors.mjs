// What is wired to the pins: a matrix of reeds, a chain of 74HC165, Hall sensors behind multiplexers; lever, buttons and lamps.
//
// Each takes the squares as two bit masks (`occupied`, and `dark` within it; bit 0 is a1) and answers the chip as its data sheet says.

/** The highest count of the converter. */
const FULL = 4095;

const bit = (mask, n) => ((mask >> BigInt(n)) & 1n) === 1n;

/** Rows on GP0 to GP7, columns on GP8 to GP15; a diode at every switch. */
export class Matrix {
  constructor(chip) {
    this.chip = chip;
    this.occupied = 0n;
    /** Files whose column is shorted to the supply. */
    this.shorted = 0;
    /** Ranks whose row is shorted to ground. */
    this.grounded = 0;
    for (let rank = 0; rank < 8; rank++) chip.gpio[rank].addListener(() => this.settle());
    this.settle();
  }

  set(occupied) {
    this.occupied = occupied;
    this.settle();
  }

  settle() {
    let files = 0;
    for (let rank = 0; rank < 8; rank++) {
      const { outputEnable, outputValue } = this.chip.gpio[rank];
      const isHigh = outputEnable && outputValue && !((this.grounded >> rank) & 1);
      // A pin that drives a line reads it as well.
      this.chip.gpio[rank].setInputValue(isHigh);
      if (isHigh) files |= Number((this.occupied >> BigInt(8 * rank)) & 0xffn);
    }
    files |= this.shorted;
    if (files === this.files) return;
    this.files = files;
    for (let file = 0; file < 8; file++) this.chip.gpio[8 + file].setInputValue(((files >> file) & 1) === 1);
  }
}

/** Eight 74HC165 on SPI1 with their latch on GP13: inputs at the supply, reeds to ground, the last serial input at the bus's output. */
export class ShiftRegisters {
  constructor(chip) {
    this.occupied = 0n;
    this.held = [];
    this.broken = false;
    /** Pulses that the chips see and the controller does not mean, behind the first byte of a scan. */
    this.extra = 0;
    const { clock, gpio, spi } = chip;
    const answer = clock.createAlarm(() => spi[1].completeTransmit(this.broken ? 0 : this.next));
    spi[1].onTransmit = (byte) => {
      const bits = (value) => Array.from({ length: 8 }, (_, n) => (value >> (7 - n)) & 1);
      this.held.push(...bits(byte));
      if (this.sent++ === 1) {
        this.held.splice(0, this.extra);
        this.held.push(...new Array(this.extra).fill(0));
      }
      this.next = this.held.splice(0, 8).reduce((value, bit) => (value << 1) | bit, 0);
      answer.schedule((spi[1].dataBits * 1e9) / spi[1].clockFrequency);
    };
    gpio[13].addListener(() => {
      if (!gpio[13].outputEnable || gpio[13].outputValue) return;
      this.held = this.levels().flatMap((rank) => Array.from({ length: 8 }, (_, n) => (rank >> (7 - n)) & 1));
      this.sent = 0;
    });
  }

  set(occupied) {
    this.occupied = occupied;
  }

  levels() {
    return Array.from({ length: 8 }, (_, rank) => Number(~(this.occupied >> BigInt(8 * rank)) & 0xffn));
  }
}

/** Linear Hall sensors: multiplexers addressed by GP2 to GP5, enabled by GP6 to GP9 (low), all four on GP26. Seeded. */
export class Hall {
  constructor(chip, seed = 1) {
    this.occupied = this.dark = 0n;
    this.state = seed * 2 + 1;
    // No two sensors are alike.
    this.zeros = Array.from({ length: 64 }, () => 2048 + this.chance(160) - 80);
    chip.adc.onADCRead = (channel) => {
      if (channel === 0) chip.adc.channelValues[channel] = this.common(chip);
      chip.adc.currentChannel = channel;
      chip.adc.sampleAlarm.schedule(2000);
    };
  }

  set(occupied, dark) {
    [this.occupied, this.dark] = [occupied, dark];
  }

  chance(below) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % below;
  }

  /** What the joined lines carry: one multiplexer's sensor, the mean of several, or nothing in particular. */
  common(chip) {
    const high = (pin) => chip.gpio[pin].outputValue;
    const channel = [0, 1, 2, 3].reduce((sum, n) => sum | (high(2 + n) ? 1 << n : 0), 0);
    const on = [0, 1, 2, 3].filter((n) => !high(6 + n)).map((n) => this.level(16 * n + channel));
    return on.length ? Math.round(on.reduce((a, b) => a + b) / on.length) : this.chance(FULL);
  }

  level(square) {
    const magnet = bit(this.occupied, square) ? (bit(this.dark, square) ? -700 : 700) : 0;
    return Math.max(0, Math.min(FULL, this.zeros[square] + magnet + this.chance(9) - 4));
  }
}

/** What the converter reads of the board itself: a third of the supply, in volts, and the chip's thermometer, in degrees. */
export class Rails {
  constructor(chip) {
    this.chip = chip;
    this.set(4.7, 31);
  }

  set(supply, degrees) {
    const counts = (volts) => Math.round((volts / 3.3) * FULL);
    this.chip.adc.channelValues[3] = counts(supply / 3);
    this.chip.adc.channelValues[4] = counts(0.706 - (degrees - 27) * 0.001721);
  }
}

/** Lever and buttons to ground: White's lever end, Black's, White's button, Black's. */
export class Controls {
  constructor(chip) {
    this.pins = [16, 17, 20, 21].map((n) => chip.gpio[n]);
    this.set(0);
  }

  set(down) {
    this.down = down;
    this.pins.forEach((pin, n) => pin.setInputValue(((down >> n) & 1) === 0));
  }
}

/** Eight 74HC595 on SPI0, storage clock on GP22. */
export class Lamps {
  constructor(chip) {
    this.lit = 0n;
    this.shifted = new Array(8).fill(0);
    const { clock, gpio, spi } = chip;
    const answer = clock.createAlarm(() => spi[0].completeTransmit(0));
    spi[0].onTransmit = (byte) => {
      this.shifted = [...this.shifted.slice(1), byte];
      answer.schedule((spi[0].dataBits * 1e9) / spi[0].clockFrequency);
    };
    gpio[22].addListener(() => {
      if (gpio[22].outputValue) this.lit = this.shifted.reduce((mask, byte) => (mask << 8n) | BigInt(byte), 0n);
    });
  }
}

export const SENSORS = { matrix: Matrix, 'shift-register': ShiftRegisters, hall: Hall };

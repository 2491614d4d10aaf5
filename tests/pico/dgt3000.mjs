// A DGT3000 on the jack of an emulated board: a time control of its own, a lever, an on/off button, a plug.
//
// What it sends is what docs/hardware.md says that two public programs read of real ones. That it tells times every second while it is in nobody's control, and
// tries again what nobody acknowledged, is supposed here.

import { BYTE_NS, I2cBlock } from './i2c.mjs';

const I2C0 = 0x40044;
const [ADDRESS, WAKE_ADDRESS] = [0x08, 0x28];
const [HELLO, TIME, BUTTONS] = [2, 4, 5];
const [LEFT, SWITCH] = [0x40, 0x20];
const GAP_NS = 50_000;
const AGAIN_NS = 1_000_000;

export function crc(bytes) {
  return bytes.reduce((sum, byte) => {
    for (sum ^= byte, byte = 0; byte < 8; byte++) sum = sum & 0x80 ? ((sum << 1) ^ 0x107) & 0xff : sum << 1;
    return sum;
  }, 0);
}

const bcd = (number) => 16 * Math.floor(number / 10) + (number % 10);

export class Dgt3000 {
  /** `before`: the same clock, on the board's bus before that was started anew. */
  constructor(chip, before) {
    this.chip = chip;
    this.block = new I2cBlock(chip);
    chip.peripherals[I2C0] = this.block;
    this.block.onWrite = (address, bytes) => this.hear(address, bytes);
    this.queue = [];
    this.woken = [];
    this.spoil = () => false;
    const { left = 300, right = 300, leftIsDown = true, runs = false, isOn = true, isPlugged = true } = before ?? {};
    Object.assign(this, { left, right, leftIsDown, runs, isOn, isPlugged });
    this.line = chip.clock.createAlarm(() => this.next());
    this.tick = chip.clock.createAlarm(() => this.second());
    this.answer = chip.clock.createAlarm(() => this.hello());
    this.tick.schedule(1e9);
  }

  /** A second goes by, for the side that thinks. */
  second() {
    const side = this.leftIsDown ? 'right' : 'left';
    if (this.runs && this.isOn) this[side] = Math.max(0, this[side] - 1);
    this.tell();
    this.tick.schedule(1e9);
  }

  /** Tells its times. */
  tell() {
    const data = new Array(19).fill(0);
    [this.left, this.right].forEach((seconds, n) => {
      const at = 1 + 6 * n;
      data.splice(at, 3, Math.floor(seconds / 3600), bcd(Math.floor(seconds / 60) % 60), bcd(seconds % 60));
    });
    data[15] = this.leftIsDown ? 1 : 0;
    this.say(TIME, data);
  }

  /** The lever goes over. */
  press() {
    const before = this.leftIsDown ? LEFT : 0;
    this.leftIsDown = !this.leftIsDown;
    this.runs = true;
    this.say(BUTTONS, [before ^ LEFT, before, 0]);
  }

  /** The on/off button. */
  switchOff() {
    const lever = this.leftIsDown ? LEFT : 0;
    this.say(BUTTONS, [lever | SWITCH, lever, 0]);
    this.isOn = false;
  }

  switchOn() {
    this.isOn = true;
    this.hello();
  }

  hello() {
    this.say(HELLO, [0x22, 1]);
  }

  hear(address, bytes) {
    if (address === WAKE_ADDRESS && this.isPlugged) {
      this.woken.push(bytes);
      this.isOn = true;
      this.answer.schedule(5e6);
    }
    if (address === ADDRESS) throw new Error('something is sent to a clock that keeps its own time');
    return false;
  }

  say(kind, data) {
    if (!this.isOn) return;
    const bytes = [2 * ADDRESS, data.length + 5, kind, ...data];
    bytes.push(crc([0, ...bytes]));
    if (this.spoil(kind)) bytes[3] ^= 0x80;
    this.queue.push({ bytes, tries: 3 });
    if (this.queue.length === 1) this.begin();
  }

  begin(pause = GAP_NS) {
    this.at = -1;
    this.line.schedule(pause);
  }

  /** The address, a byte, or the end of the frame that is on the bus. */
  next() {
    const [frame] = this.queue;
    if (this.at < 0 && !(this.isPlugged && this.block.begin(0))) {
      // Nobody acknowledges it.
      if (--frame.tries === 0) this.queue.shift();
      if (this.queue.length) this.begin(AGAIN_NS);
      return;
    }
    if (this.at === frame.bytes.length || !this.isPlugged) {
      this.block.stop();
      this.queue.shift();
      if (this.queue.length) this.begin();
      return;
    }
    // A bus that is held is looked at again soon.
    const isTaken = this.at < 0 || this.block.take(frame.bytes[this.at]);
    if (isTaken) this.at++;
    this.line.schedule(isTaken ? BYTE_NS : 10_000);
  }
}

// The flash chip beside the processor and the serial interface to it, as far as firmware sees them: is it mapped for running code, and
// what does it answer to a command? Reading as memory and writing are the emulator's and the boot ROM's.
// Sources: RP2040 data sheet, sections 2.19.6.2 (pins) and 4.10.13 (serial interface); Winbond W25Q16JV data sheet, section 8.2.

const CTRLR0 = 0x00;
const SSIENR = 0x08;
const SR = 0x28;
const DR0 = 0x60;
const SELECT_CONTROL = 0x0c;

const QUAD = 2 << 21;
const FORMAT = 3 << 21;
const [FREE, RECEIVED, IDLE] = [1 << 1, 1 << 3, 1 << 2];

export class Flash {
  /** Whether the processor can read flash as memory. */
  mapped = true;

  constructor(uniqueId) {
    this.uniqueId = uniqueId;
    this.registers = new Map();
    this.answers = [];
    this.command = null;
    this.pins = { readUint32: () => 0, writeUint32Atomic: (offset, value) => offset === SELECT_CONTROL && this.select(value) };
  }

  /** Commands come next. */
  leave() {
    this.mapped = false;
    this.answers = [];
  }

  /** The select pin is forced low to begin a command and high to end it. */
  select(value) {
    const override = (value >>> 8) & 3;
    if (override === 2) this.command = [];
    if (override === 3) this.command = null;
  }

  readUint32(offset) {
    if (offset === SR) return FREE | IDLE | (this.answers.length ? RECEIVED : 0);
    if (offset === DR0) return this.answers.shift() ?? 0;
    return this.registers.get(offset) ?? 0;
  }

  writeUint32(offset, value) {
    if (offset >= DR0 && offset < 0xf0) return this.transfer(value & 0xff);
    this.registers.set(offset, value);
    if (offset === SSIENR && value === 0) this.answers = [];
    if (offset === SSIENR && value === 1 && (this.registers.get(CTRLR0) & FORMAT) === QUAD) this.mapped = true;
  }

  writeUint32Atomic(offset, value) {
    this.writeUint32(offset, value);
  }

  transfer(byte) {
    if (!this.command) return this.answers.push(0);
    if (this.mapped) throw new Error('a command to a flash chip that is mapped as memory');
    this.command.push(byte);
    const place = this.command.length - 6;
    this.answers.push(this.command[0] === 0x4b && place >= 0 ? this.uniqueId[place] : 0xff);
  }
}

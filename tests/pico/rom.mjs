// What firmware finds in an RP2040's boot ROM: the way into flash, a table of functions, and those that write flash.
// Source: RP2040 data sheet, sections 2.8.1 (booting), 2.8.2 (functions) and 2.8.3 (where the table is).

const FLASH = 0x10000000;
const SECOND_STAGE_AT = 0x20041f00;
const FUNCTIONS_AT = 0x200;
const TABLE_AT = 0x100;
const SECTOR = 4096;

const tag = (text) => text.charCodeAt(0) | (text.charCodeAt(1) << 8);

/** The checksum by which the boot ROM knows a second stage: CRC-32, not reflected, over 252 bytes. */
function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

/** The boot ROM of one chip. */
export class Rom {
  constructor(chip, flash) {
    this.chip = chip;
    this.flash = flash;
    const { core } = chip;
    const register = (n) => core.registers[n];
    this.functions = [
      ['', () => (core.registers[0] = this.lookup(register(1)))],
      ['IF', () => {}],
      ['EX', () => this.flash.leave()],
      ['RE', () => this.erase(register(0), register(1))],
      ['RP', () => this.program(register(0), register(1), register(2))],
      ['FC', () => {}],
      ['CX', () => (this.flash.mapped = true)],
      // The boot loader: from here on the chip is another device. What it was asked for: the pin of its lamp, and what is left out.
      ['UB', () => (this.loader = { pin: register(0), without: register(1) })],
    ];
    const view = new DataView(chip.bootrom.buffer);
    view.setUint32(0x10, 0x02014d75 & 0xffffff, true);
    view.setUint16(0x14, TABLE_AT, true);
    view.setUint16(0x18, FUNCTIONS_AT | 1, true);
    this.functions.forEach((_, n) => {
      view.setUint16(FUNCTIONS_AT + 4 * n, 0xbe00 | n, true); // bkpt n: `called` does the work
      view.setUint16(FUNCTIONS_AT + 4 * n + 2, 0x4770, true); // bx lr
    });
    chip.onBreak = (n) => this.called(n);
  }

  lookup(wanted) {
    const n = this.functions.findIndex(([name]) => name && tag(name) === wanted);
    if (n < 0) throw new Error(`no function ${wanted.toString(16)} in this boot ROM`);
    return (FUNCTIONS_AT + 4 * n) | 1;
  }

  called(n) {
    if (this.chip.core.PC >= 0x4000) throw new Error(`breakpoint at ${this.chip.core.PC.toString(16)}`);
    this.functions[n][1]();
  }

  erase(offset, count) {
    if (this.flash.mapped || offset % SECTOR || count % SECTOR) throw new Error(`erasing ${count} bytes at ${offset}`);
    this.chip.flash.fill(0xff, offset, offset + count);
  }

  program(offset, from, count) {
    if (this.flash.mapped || offset % 256 || count % 256) throw new Error(`programming ${count} bytes at ${offset}`);
    // Programming takes ones away and gives none back.
    for (let n = 0; n < count; n++) this.chip.flash[offset + n] &= this.chip.readUint8(from + n);
  }

  /** Goes where the boot ROM goes after power-up: checks the second stage, copies it to memory and jumps there. */
  boot() {
    const { core, flash } = this.chip;
    const stage = flash.subarray(0, 256);
    const sum = new DataView(flash.buffer).getUint32(252, true);
    if (checksum(stage.subarray(0, 252)) !== sum) throw new Error('the second stage has a wrong checksum: a Pico would not boot');
    stage.forEach((byte, n) => this.chip.writeUint8(SECOND_STAGE_AT + n, byte));
    core.SP = SECOND_STAGE_AT;
    core.LR = 0;
    core.PC = SECOND_STAGE_AT;
    core.PM = false;
    core.VTOR = 0;
  }
}

export { FLASH };

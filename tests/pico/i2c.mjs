// The RP2040's I2C block as a target that another controller addresses, and as a controller that nobody answers. The emulator's own is a controller only.
//
// By registers and whole bytes, at the times they take on a bus of 100 kbit/s; not by bits: two controllers that begin at once, and one's arbitration lost, are not
// in it. Source: RP2040 data sheet, section 4.3 (Synopsys DW_apb_i2c): registers, general call, FIFO of 16, holding the bus when it is full.

const [CON, TAR, SAR, DATA_CMD, RAW_INTR_STAT, CLR_INTR, ENABLE, STATUS, ENABLE_STATUS, ACK_GENERAL_CALL] = [
  0x00, 0x04, 0x08, 0x10, 0x34, 0x40, 0x6c, 0x70, 0x9c, 0x98,
];
const [MASTER, SLAVE_OFF, HOLD_WHEN_FULL] = [1, 1 << 6, 1 << 9];
const [TX_ABORTED, STOPPED] = [1 << 6, 1 << 9];
const FIRST_DATA_BYTE = 1 << 11;
const STOP = 1 << 9;
const FIFO = 16;

/** Eight bits and an acknowledgement at 100 kbit/s. */
export const BYTE_NS = 90_000;

export class I2cBlock {
  constructor(chip) {
    this.clock = chip.clock;
    this.received = [];
    this.toSend = [];
    /** What a controller of this block writes: address and bytes, and whether anybody acknowledges it. */
    this.onWrite = () => false;
    this.overruns = 0;
    this.reset();
    this.end = chip.clock.createAlarm(() => this.finish());
  }

  /** Register values after a reset. */
  reset() {
    this.registers = new Map([
      [CON, 0x65],
      [TAR, 0x55],
      [SAR, 0x55],
      [ACK_GENERAL_CALL, 1],
    ]);
    this.raised = 0;
  }

  get isOn() {
    return (this.registers.get(ENABLE) & 1) === 1;
  }

  get isController() {
    const con = this.registers.get(CON);
    if (((con & MASTER) !== 0) !== ((con & SLAVE_OFF) !== 0)) throw new Error('controller and target at once, which the data sheet rules out');
    return (con & MASTER) !== 0;
  }

  readUint32(offset) {
    switch (offset) {
      case DATA_CMD:
        if (!this.received.length) throw new Error('read of an empty FIFO');
        return this.received.shift();
      case RAW_INTR_STAT:
        return this.raised;
      case CLR_INTR:
        this.raised = 0;
        return 0;
      case STATUS:
        return (this.received.length ? 8 : 0) | (this.isAddressed || this.isSending ? 1 : 0);
      case ENABLE_STATUS:
        return this.isOn ? 1 : 0;
      default:
        return this.registers.get(offset) ?? 0;
    }
  }

  writeUint32Atomic(offset, value, type) {
    if (type) throw new Error('set, clear or toggle of an I2C register');
    const isSettled = offset === ENABLE || offset === DATA_CMD || !this.isOn || offset === 0x30;
    if (!isSettled) throw new Error(`I2C register ${offset.toString(16)} written while the block is on`);
    if (offset === DATA_CMD) return this.send(value);
    this.registers.set(offset, value);
    if (offset === ENABLE && !(value & 1)) this.switchOff();
  }

  switchOff() {
    this.received = [];
    this.toSend = [];
    this.isAddressed = this.isSending = false;
    this.end.cancel();
  }

  send(value) {
    if (!this.isOn || !this.isController) throw new Error('sent as a target');
    this.toSend.push(value & 0xff);
    if (!(value & STOP)) return;
    this.isSending = true;
    this.isTaken = this.onWrite(this.registers.get(TAR) & 0x7f, this.toSend.splice(0));
    this.end.schedule(this.isTaken ? 5 * BYTE_NS : BYTE_NS + 20_000);
  }

  finish() {
    this.isSending = false;
    this.raised |= STOPPED | (this.isTaken ? 0 : TX_ABORTED);
  }

  /** Another controller begins a write to this address; whether it is acknowledged. */
  begin(address) {
    const isMine = address === (this.registers.get(SAR) & 0x7f) || (address === 0 && this.registers.get(ACK_GENERAL_CALL) === 1);
    this.isAddressed = this.isOn && !this.isController && isMine;
    this.isFirst = true;
    return this.isAddressed;
  }

  /** Its next byte; whether there is room. Without room, the bus is held, or the byte is lost. */
  take(byte) {
    if (!this.isAddressed) return true;
    if (this.received.length === FIFO) {
      if (this.registers.get(CON) & HOLD_WHEN_FULL) return false;
      this.overruns++;
      return true;
    }
    this.received.push(byte | (this.isFirst ? FIRST_DATA_BYTE : 0));
    this.isFirst = false;
    return true;
  }

  /** It ends. */
  stop() {
    if (this.isAddressed) this.raised |= STOPPED;
    this.isAddressed = false;
  }
}

// One RP2040 running an image, on the emulator rp2040js: boot ROM, flash chip, USB host and cycle counter.

import { ConsoleLogger, LogLevel, RP2040, USBCDC } from 'rp2040js';

import { Flash } from './flash.mjs';
import { FLASH, Rom } from './rom.mjs';
import * as uf2 from './uf2.mjs';

const [SSI, IO_QSPI, WATCHDOG, ROSC] = [0x18000, 0x40018, 0x40058, 0x40060];

/** Of the endpoints towards the host, in the USB memory (RP2040 data sheet, table 385); eight bytes from one to the next. */
const IN_BUFFER_CONTROL = 0x80;

const MEMORY_END = 0x20040000;

/** The ring oscillator, as far as firmware needs it: its random bit, and whether it runs. Seeded. */
class RingOscillator {
  runs = true;

  constructor(seed) {
    this.state = seed * 2 + 1;
  }

  readUint32(offset) {
    if (offset !== 0x1c) return 0;
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state >>> 31;
  }

  /** CTRL: bits 12 to 23 are one of two words, on and off (data sheet, section 2.17.8). */
  writeUint32Atomic(offset, value) {
    if (offset === 0) this.runs = ((value >>> 12) & 0xfff) !== 0xd1e;
  }
}

export class Pico {
  /**
   * Power comes on. `before` is the same Pico before it went off: its flash stays as it was. If it never went off and the chip only
   * starts anew (`warm`), the watchdog's scratch registers stay too; if its boot loader was `given` the image, that is written over it. `open`: a program has the serial port open; else `open()` it.
   */
  constructor(image, { seed = 1, uniqueId = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x12, 0x34, 0x56], before, given = false, warm = false, open = true } = {}) {
    this.chip = new RP2040();
    this.clock = this.chip.clock;
    this.chip.logger = new ConsoleLogger(LogLevel.Error, true);
    const write = () => uf2.read(image).forEach(({ address, bytes }) => this.chip.flash.set(bytes, address - FLASH));
    write();
    if (before) this.chip.flash.set(before.chip.flash);
    if (given) write();
    this.flash = new Flash(uniqueId);
    this.chip.peripherals[SSI] = this.flash;
    this.chip.peripherals[IO_QSPI] = this.flash.pins;
    this.chip.peripherals[ROSC] = new RingOscillator(seed);
    const watchdog = this.chip.peripherals[WATCHDOG];
    if (warm) watchdog.scratchData.set(before.chip.peripherals[WATCHDOG].scratchData);
    watchdog.onWatchdogTrigger = () => {
      this.bitten = true;
      // A chip that starts anew has its watchdog off; the emulator's would bite for ever.
      watchdog.alarm.enable = false;
    };
    this.received = () => {};
    this.busy = 0;
    this.lowest = MEMORY_END;
    this.isOpen = open;
    this.plugIn();
    this.sleepRightly();
    this.rom = new Rom(this.chip, this.flash);
    this.rom.boot();
  }

  /** Whether the ring oscillator runs: without it a chip whose watchdog has bitten does not start. */
  get rings() {
    return this.chip.peripherals[ROSC].runs;
  }

  /** Milliseconds since power-up. */
  get ms() {
    return this.clock.nanos / 1e6;
  }

  /** The most of the stack that was ever in use, in bytes. */
  get stack() {
    return MEMORY_END - this.lowest;
  }

  /** A host at the other end of the USB cable. */
  plugIn() {
    const usb = this.chip.usbCtrl;
    this.cdc = new USBCDC(usb);
    this.cdc.onSerialData = (bytes) => this.received(bytes);
    this.cdc.onDeviceConnected = () => this.pump();
    this.holdBack();
    this.toSend = [];
    /** How much each endpoint takes; they are told before the host knows which one is the port's. */
    this.room = [];
    // The emulator's own host answers at once, with nothing if there is nothing, and so keeps the device from sleeping. A real one
    // sends what it has.
    usb.onEndpointRead = (endpoint, size) => {
      this.room[endpoint] = size;
      this.pump();
    };
  }

  /**
   * While no program has the port open, the host's driver asks for nothing (it sends no IN tokens), and the buffer that the board has filled
   * stays as it is. The emulator's own host empties it at once.
   */
  holdBack() {
    const usb = this.chip.usbCtrl;
    const empty = usb.DPRAMUpdated.bind(usb);
    usb.DPRAMUpdated = (offset, value) => {
      const isPort = this.cdc.inEndpoint > 0 && offset === IN_BUFFER_CONTROL + 8 * this.cdc.inEndpoint;
      if (this.isOpen || !isPort) empty(offset, value);
      else this.filled = () => empty(offset, value);
    };
  }

  /** A program opens the port, and reads what lies there. */
  open() {
    this.isOpen = true;
    this.filled?.();
  }

  /** Sends bytes to the board. */
  send(bytes) {
    this.toSend.push(...bytes);
    this.pump();
  }

  pump() {
    const endpoint = this.cdc.outEndpoint;
    if (endpoint < 0 || !this.room[endpoint] || !this.toSend.length) return;
    const packet = this.toSend.splice(0, this.room[endpoint]);
    this.room[endpoint] = 0;
    this.chip.usbCtrl.endpointReadDone(endpoint, Uint8Array.from(packet));
  }

  /** With interrupts masked an interrupt ends the sleep and is not taken (ARMv6-M manual, WFI); the emulator takes it. */
  sleepRightly() {
    const { core } = this.chip;
    const check = core.checkForInterrupts.bind(core);
    core.checkForInterrupts = () => (core.waiting && core.PM ? (core.pendingInterrupts & core.enabledInterrupts) !== 0 : check());
  }

  /** Runs for so many milliseconds, or until `done`. */
  run(ms, done = () => false) {
    const { chip, clock } = this;
    const { core } = chip;
    const until = clock.nanos + ms * 1e6;
    while (clock.nanos < until && !done()) {
      if (core.waiting && core.pendingInterrupts & core.enabledInterrupts) core.waiting = false;
      if (this.rom.loader) clock.tick(until - clock.nanos);
      else if (core.waiting) {
        const next = clock.nextAlarm ? clock.nanosToNextAlarm : until - clock.nanos;
        clock.tick(Math.min(next, until - clock.nanos));
      } else {
        const cycles = this.step();
        this.busy += cycles;
        clock.tick((cycles * 1e9) / chip.clkSys);
      }
    }
  }

  /** One instruction; its cycles by the table of the Cortex-M0+ manual (ARM DDI 0484C, section 3.3). */
  step() {
    const { core } = this.chip;
    const pc = core.PC;
    if (pc >>> 28 === 1 && !this.flash.mapped) throw new Error(`code in flash at ${pc.toString(16)} while flash cannot be read`);
    const opcode = this.chip.readUint16(pc);
    const cycles = core.executeInstruction();
    if (core.SP < this.lowest) this.lowest = core.SP;
    // The emulator leaves out LR in `push` and PC in `pop`.
    return cycles + (opcode >>> 8 === 0xb5 || opcode >>> 8 === 0xbd ? 1 : 0);
  }
}

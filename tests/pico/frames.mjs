// The native board protocol as docs/wire.md describes it, in both directions: COBS, a CRC-32, a zero byte.

/** CRC-32/ISO-HDLC. */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function unstuff(bytes) {
  const out = [];
  for (let at = 0; at < bytes.length; ) {
    const run = bytes[at];
    out.push(...bytes.slice(at + 1, at + run));
    at += run;
    if (run < 0xff && at < bytes.length) out.push(0);
  }
  return Uint8Array.from(out);
}

/** A message to the board, as a frame. */
export function frame(body) {
  const sum = crc32(body);
  const bytes = [...body, sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24, 0];
  const out = [];
  for (let run = []; bytes.length; ) {
    const byte = bytes.shift();
    if (byte !== 0) run.push(byte);
    else {
      out.push(run.length + 1, ...run);
      run = [];
    }
  }
  return Uint8Array.from([...out, 0]);
}

const u32 = (number) => Array.from({ length: 4 }, (_, n) => (number >>> (8 * n)) & 255);

export const toBoard = {
  hello: (nonce) => frame([0x81, ...u32(nonce)]),
  lamps: (mask) => frame([0x84, ...Array.from({ length: 8 }, (_, n) => Number((mask >> BigInt(8 * n)) & 0xffn))]),
  resend: (from) => frame([0x83, ...u32(from)]),
  levels: () => frame([0x86]),
  calibrate: () => frame([0x87]),
  firmware: () => frame([0x88]),
  loader: (nonce) => frame([0x89, ...u32(nonce)]),
  setMap: (rank, squares) => frame([0x8a, rank, ...squares]),
  map: () => frame([0x8b]),
  selfTest: () => frame([0x8c]),
};

const SYMBOLS = { '.': 0, '?': 1, L: 1, D: 2 };

/** A frame's message; anything damaged is an error, for this line loses nothing. */
function message(bytes) {
  const body = unstuff(bytes);
  const view = new DataView(body.buffer, 0, body.length - 4);
  if (crc32(body.subarray(0, -4)) !== new DataView(body.buffer).getUint32(body.length - 4, true)) throw new Error('damaged frame');
  const u16 = (at) => view.getUint16(at, true);
  const u32 = (at) => view.getUint32(at, true);
  const u64 = (at) => view.getBigUint64(at, true);
  const time = (at) => (u32(at) === 0xffffffff ? undefined : u32(at));
  const symbol = (at) => SYMBOLS[String.fromCharCode(body[at])];
  const evidence = () => ({ boot: u16(1), seq: u32(3), ms: u32(7) });
  switch (body[0]) {
    case 0x01:
      return {
        kind: 'hello',
        version: body[1],
        boot: u16(2),
        next: u32(8),
        sensor: body[12],
        capabilities: body[13],
        nonce: u32(18),
        serial: Buffer.from(body.subarray(23, 23 + body[22])).toString(),
      };
    case 0x02:
      return { kind: 'heartbeat', boot: u16(1), ms: u32(3), next: u32(7), dropped: u32(11), damaged: u32(15), late: u32(19), lamps: u64(23) };
    case 0x03:
      return { kind: 'gone', boot: u16(1), oldest: u32(3) };
    case 0x04:
      return { kind: 'condition', stuck: u64(7), unsteady: u64(15), failed: u32(23), trouble: body[27], part: body[28] };
    case 0x05:
      return {
        kind: 'levels',
        rank: body[7],
        on: u16(8),
        off: u16(10),
        squares: Array.from({ length: 8 }, (_, n) => ({ zero: u16(12 + 6 * n), now: view.getInt16(14 + 6 * n, true), noise: u16(16 + 6 * n) })),
      };
    case 0x06:
      return { kind: 'firmware', boot: u16(1), name: Buffer.from(body.subarray(4, 4 + body[3])).toString() };
    case 0x07:
      return { kind: 'clock', ms: u32(3), white: time(7), black: time(11), bits: body[15] };
    case 0x08:
      return { kind: 'loader', boot: u16(1), nonce: u32(3) };
    case 0x09:
      return { kind: 'map', boot: u16(1), rank: body[3], squares: [...body.subarray(4, 12)] };
    case 0x0a:
      return { kind: 'tested', number: body[3], count: body[4], part: body[5], verdict: body[6], found: [u32(7), u32(11)] };
    case 0x10:
      return { kind: 'snapshot', ...evidence(), squares: Array.from({ length: 64 }, (_, n) => symbol(11 + n)) };
    case 0x11:
      return { kind: 'change', ...evidence(), changes: Array.from({ length: body[12] }, (_, n) => [body[13 + 2 * n], symbol(14 + 2 * n)]) };
    case 0x12:
      return { kind: 'press', ...evidence(), side: body[11], white: time(12), black: time(16) };
    case 0x13:
      return { kind: 'adjust', ...evidence(), side: body[11] };
    default:
      return { kind: body[0] };
  }
}

/** Collects bytes and hands out messages. */
export class Decoder {
  rest = [];

  feed(bytes) {
    const messages = [];
    for (const byte of bytes) {
      if (byte !== 0) this.rest.push(byte);
      else if (this.rest.length) messages.push(message(this.rest.splice(0)));
    }
    return messages;
  }
}

// UF2, the format in which a Pico takes its firmware: blocks of 512 bytes that each say where they belong.
// Source: https://github.com/microsoft/uf2, "File format".

const MAGIC = [0x0a324655, 0x9e5d5157, 0x0ab16f30];
const RP2040 = 0xe48bff56;
const FAMILY_PRESENT = 0x2000;

/** The pieces of flash in a UF2 file, as a Pico's boot ROM would take them: `{ address, bytes }`. */
export function read(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = file.byteLength / 512;
  const word = (block, n) => view.getUint32(512 * block + 4 * n, true);
  return Array.from({ length: count }, (_, block) => {
    const [first, second, flags, address, size, number, all, family] = Array.from({ length: 8 }, (_, n) => word(block, n));
    const right = first === MAGIC[0] && second === MAGIC[1] && word(block, 127) === MAGIC[2];
    if (!right || !(flags & FAMILY_PRESENT) || family !== RP2040 || number !== block || all !== count || size !== 256 || address % 256) {
      throw new Error(`UF2 block ${block} is none for an RP2040`);
    }
    return { address, bytes: file.subarray(512 * block + 32, 512 * block + 32 + size) };
  });
}

"use strict";
// A QR code as a PNG, with the Node standard library only.
//
// Deliberately small: byte mode, error correction level L, versions 1 to 5. All of these have a single block
// of codewords and at most one alignment pattern, which leaves out most of the standard's special cases.
// 106 bytes are plenty for a pairing code. Coordinates are (row, column), 0 is the top left corner.

const zlib = require("node:zlib");

// Codewords at level L, by version: how many carry data, how many carry error correction.
const VERSIONS = [
  { data: 19, ecc: 7 },
  { data: 34, ecc: 10 },
  { data: 55, ecc: 15 },
  { data: 80, ecc: 20 },
  { data: 108, ecc: 26 },
];
const HEADER_BYTES = 2; // 4 bits of mode, 8 of length, 4 of terminator

const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

// encode returns the modules of the symbol: rows of 0 (light) and 1 (dark), without the quiet zone.
function encode(text) {
  const bytes = Buffer.from(text, "utf8");
  const version = VERSIONS.findIndex((v) => bytes.length + HEADER_BYTES <= v.data) + 1;
  if (version === 0) throw new RangeError(`cannot draw a QR code: ${bytes.length} bytes, at most 106 fit`);

  const { data, ecc } = VERSIONS[version - 1];
  const words = dataWords(bytes, data);
  const bits = toBits([...words, ...errorCorrection(words, ecc)]);

  // Every mask carries the same data. The one with the fewest lookalike patterns is the easiest to read.
  const drawn = MASKS.map((_, mask) => draw(version, bits, mask));
  return drawn.reduce((best, m) => (penalty(m) < penalty(best) ? m : best));
}

// ---- codewords

function dataWords(bytes, capacity) {
  const bits = toBits([(0b0100 << 4) | (bytes.length >> 4)]); // mode and the upper half of the length …
  for (let i = 3; i >= 0; i--) bits.push((bytes.length >> i) & 1); // … the lower half …
  bits.push(...toBits(bytes), 0, 0, 0, 0); // … so the content starts in the middle of a byte

  const words = [];
  for (let i = 0; i < bits.length; i += 8) words.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

function toBits(words) {
  return Array.from(words).flatMap((w) => [7, 6, 5, 4, 3, 2, 1, 0].map((i) => (w >> i) & 1));
}

// errorCorrection is the remainder of the data divided by the Reed-Solomon generator polynomial.
function errorCorrection(words, count) {
  let generator = [1];
  for (let i = 0, root = 1; i < count; i++, root = multiply(root, 2)) {
    const shifted = [...generator, 0];
    generator.forEach((g, j) => (shifted[j + 1] ^= multiply(g, root)));
    generator = shifted;
  }
  const rest = [...words, ...new Array(count).fill(0)];
  for (let i = 0; i < words.length; i++) {
    const factor = rest[i];
    generator.forEach((g, j) => (rest[i + j] ^= multiply(g, factor)));
  }
  return rest.slice(words.length);
}

// multiply in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1.
function multiply(a, b) {
  let product = 0;
  for (; b > 0; b >>= 1, a = (a << 1) ^ (a & 0x80 ? 0x11d : 0)) if (b & 1) product ^= a;
  return product;
}

// ---- modules

function draw(version, bits, mask) {
  const size = 17 + 4 * version;
  const modules = Array.from({ length: size }, () => new Array(size).fill(0));
  const fixed = Array.from({ length: size }, () => new Array(size).fill(false));
  const set = (r, c, dark) => {
    if (r < 0 || c < 0 || r >= size || c >= size) return; // a finder's light border hangs over the edge
    modules[r][c] = dark ? 1 : 0;
    fixed[r][c] = true;
  };
  drawPatterns(size, version, set);
  drawFormat(size, mask, set);
  drawData(size, bits, MASKS[mask], modules, fixed);
  return modules;
}

function drawPatterns(size, version, set) {
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0); // timing: where rows and columns are
    set(i, 6, i % 2 === 0);
  }
  const square = (row, col, radius, lightRings) => {
    for (let r = -radius; r <= radius; r++) {
      for (let c = -radius; c <= radius; c++) {
        set(row + r, col + c, !lightRings.includes(Math.max(Math.abs(r), Math.abs(c))));
      }
    }
  };
  square(3, 3, 4, [2, 4]); // the three finders
  square(3, size - 4, 4, [2, 4]);
  square(size - 4, 3, 4, [2, 4]);
  if (version > 1) square(size - 7, size - 7, 2, [1]); // alignment
}

// drawFormat writes level and mask twice, each with its own error correction.
function drawFormat(size, mask, set) {
  const level = 0b01; // L
  let rest = (level << 3) | mask;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ (rest >> 9 ? 0x537 : 0);
  const format = ((((level << 3) | mask) << 10) | rest) ^ 0x5412;

  for (let i = 0; i < 15; i++) {
    const dark = (format >> i) & 1;
    if (i < 8) {
      set(i < 6 ? i : i + 1, 8, dark); // down beside the top left finder, stepping over the timing row
      set(8, size - 1 - i, dark);
    } else {
      set(8, i === 8 ? 7 : 14 - i, dark); // and left below it
      set(size - 15 + i, 8, dark);
    }
  }
  set(size - 8, 8, 1); // the one module that is always dark
}

// drawData fills the free modules in pairs of columns from the right, going up and down in turn.
function drawData(size, bits, masked, modules, fixed) {
  let next = 0;
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2, upwards = !upwards) {
    if (right === 6) right--; // the timing column belongs to no pair
    for (let i = 0; i < size; i++) {
      const r = upwards ? size - 1 - i : i;
      for (const c of [right, right - 1]) {
        if (fixed[r][c]) continue;
        modules[r][c] = (bits[next++] ?? 0) ^ (masked(r, c) ? 1 : 0);
      }
    }
  }
}

// penalty is the standard's measure of what confuses a reader: runs, blocks, false finders, imbalance.
function penalty(modules) {
  const rows = modules.map((row) => row.join(""));
  const columns = modules.map((_, c) => modules.map((row) => row[c]).join(""));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (line.match(/(?=00001011101|10111010000)/g) ?? []).length;
  }
  for (let r = 1; r < modules.length; r++) {
    for (let c = 1; c < modules.length; c++) {
      const four = modules[r][c] + modules[r - 1][c] + modules[r][c - 1] + modules[r - 1][c - 1];
      if (four % 4 === 0) sum += 3;
    }
  }
  const dark = modules.flat().reduce((a, b) => a + b) / modules.length ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

// ---- picture

// png draws text as a QR code, each module scale × scale pixels, with the quiet zone of four modules that readers need.
function png(text, scale = 8) {
  const quiet = 4;
  const modules = encode(text);
  const width = (modules.length + 2 * quiet) * scale;
  const pixels = Buffer.alloc(width * (width + 1), 0xff); // one filter byte in front of every row
  for (let y = 0; y < width; y++) {
    pixels[y * (width + 1)] = 0;
    for (let x = 0; x < width; x++) {
      const row = modules[Math.floor(y / scale) - quiet];
      if (row?.[Math.floor(x / scale) - quiet]) pixels[y * (width + 1) + 1 + x] = 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header[8] = 8; // bits per pixel; the zeros after it: grey, deflate, plain filters, not interlaced
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", zlib.deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

// crc32 is in node:zlib too, but only from Node 22 on.
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

module.exports = { encode, png };

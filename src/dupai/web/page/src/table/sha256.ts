/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const PRIMES = Array.from({ length: 310 }, (_, i) => i + 2).filter((n) => [2, 3, 5, 7, 11, 13, 17].every((p) => p === n || n % p));
const ROUNDS = Uint32Array.from(PRIMES.slice(0, 64), (n) => (Math.cbrt(n) % 1) * 2 ** 32);

/** SHA-256 of ASCII text as 64 hexadecimal digits (FIPS 180-4). The browser's own is missing on pages without TLS. */
export function sha256(text: string): string {
  const h = Uint32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  const blocks = new DataView(new ArrayBuffer(64 * Math.ceil((text.length + 9) / 64)));
  for (let i = 0; i < text.length; i++) blocks.setUint8(i, text.charCodeAt(i));
  blocks.setUint8(text.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, 8 * text.length);
  const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));
  const w = new Uint32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = blocks.getUint32(at + 4 * i);
        continue;
      }
      const [a, b] = [w[i - 15]!, w[i - 2]!];
      w[i] = w[i - 16]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    const s = [...h];
    for (let i = 0; i < 64; i++) {
      const [a, b, c, d, e, f, g, z] = s as [number, number, number, number, number, number, number, number];
      const one = (z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      s.splice(0, 8, (one + two) | 0, a, b, c, (d + one) | 0, e, f, g);
    }
    s.forEach((x, i) => (h[i] = h[i]! + x));
  }
  return [...h].map((x) => x.toString(16).padStart(8, "0")).join("");
}

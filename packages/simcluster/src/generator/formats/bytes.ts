import type { Format } from './text.ts';

/** Bytes that text does not contain: invalid UTF-8, NUL, lone CR, escape sequences other than colors. */
export const binaryLine: Format = ({ message, random }) => {
  const odd = Buffer.alloc(random.int(4, 60));
  for (let i = 0; i < odd.length; i++) {
    const byte = random.int(0, 255);
    odd[i] = byte === 0x0a ? 0x0b : byte;
  }
  return [
    Buffer.concat([
      Buffer.from(`${message} `),
      odd,
      Buffer.from(random.pick([' \r10%\r90%', ' \u001b[2J', ' \u0007', ''])),
    ]),
  ];
};

/** A line longer than the 16 KiB that a runtime reads at once. */
export const longLine: Format = ({ message, random, n }) => {
  const bytes = Buffer.alloc(random.int(17_000, 90_000), `${message} part=${n} `);
  return [Buffer.concat([bytes, Buffer.from(' end-of-long-line')])];
};

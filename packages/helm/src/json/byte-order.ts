/**
 * Compares two texts as Go does: by the bytes of their UTF-8 form. JavaScript's own order is by UTF-16 units and puts
 * characters outside the Basic Multilingual Plane before U+E000.
 */
export function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Units of surrogate pairs come after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

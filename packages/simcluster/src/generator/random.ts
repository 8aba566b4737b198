/**
 * A seeded source of random numbers: the same seed and path always give the same numbers, whatever was drawn before.
 */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Returns an index by weight; the weights need not sum to one. */
  weighted(weights: readonly number[]): number;
  hex(length: number): string;
  uuid(): string;
  /** Returns letters and digits as in names that Kubernetes generates: no vowels, no look-alikes. */
  suffix(length: number): string;
}

/** The alphabet of k8s.io/apimachinery/pkg/util/rand. */
export const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export function seededRandom(seed: number, ...path: readonly (string | number)[]): Random {
  const next = sfc32(...seedNumbers(`${seed}/${path.join('/')}`));
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const text = (alphabet: string, length: number): string => {
    let out = '';
    for (let i = 0; i < length; i++) out += alphabet[Math.floor(next() * alphabet.length)];
    return out;
  };
  const hex = (length: number): string => text('0123456789abcdef', length);
  return {
    next,
    int,
    pick: <T>(choices: readonly T[]): T => {
      if (choices.length === 0) throw new RangeError('nothing to pick from');
      return choices[int(0, choices.length - 1)] as T;
    },
    weighted: (weights) => {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0);
      for (let i = 0; i < weights.length; i++) {
        rest -= weights[i] ?? 0;
        if (rest < 0) return i;
      }
      return weights.length - 1;
    },
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[int(0, 3)]}${hex(3)}-${hex(12)}`,
    suffix: (length) => text(NAME_ALPHABET, length),
  };
}

/** Returns the FNV-1a hash, 32 bits, which Kubernetes controllers use for template hashes. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i) & 0xff;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** Returns four well-mixed words from a text, so that similar paths give unrelated numbers. */
function seedNumbers(text: string): [number, number, number, number] {
  const state: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 0; i < 4; i++) {
    let hash = fnv32a(`${i}:${text}`);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    state[i] = (hash ^ (hash >>> 16)) >>> 0;
  }
  return state;
}

/** Small Fast Counter, 32 bits (Chris Doty-Humphrey, PractRand). */
function sfc32(a: number, b: number, c: number, counter: number): () => number {
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  return next;
}

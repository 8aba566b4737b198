/**
 * Number of hues for containers on the page and on a terminal; the page's colors are in hue.css, a terminal's in
 * colors.ts.
 */
export const HUES = 12;

/**
 * Assigns colors to containers, as numbers from 0: by a stable hash of the identity, moved on if another container has
 * that color, so that all containers in view differ as long as colors remain. Uses the first HUES of them first, so
 * that page and terminal give the same hue to the same containers. Among containers that arrive together, the order
 * does not matter; later ones move past those already present.
 */
export class HueAllotment {
  readonly #size: number;
  readonly #hues = new Map<string, number>();
  readonly #taken = new Set<number>();
  readonly #waiting = new Set<string>();

  /** `size`: how many colors there are. */
  constructor(size = HUES) {
    this.#size = size;
  }

  /** Adds a container to the view. Containers added before the next `of` arrive together. */
  see(identity: string): void {
    if (!this.#hues.has(identity)) this.#waiting.add(identity);
  }

  /** Returns the color of a container, by `identityOf`: the same at each call. */
  of(identity: string): number {
    const known = this.#hues.get(identity);
    if (known !== undefined) return known;
    this.see(identity);
    for (const each of [...this.#waiting].sort()) this.#allot(each);
    this.#waiting.clear();
    return this.#hues.get(identity) ?? 0;
  }

  #allot(identity: string): void {
    const number = hash(identity);
    const first = Math.min(HUES, this.#size);
    const hue = this.#free(number, 0, first) ?? this.#free(number, first, this.#size) ?? number % this.#size;
    this.#taken.add(hue);
    this.#hues.set(identity, hue);
  }

  /** Returns the first free color of a range, starting at the hash; undefined if all are taken. */
  #free(number: number, from: number, to: number): number | undefined {
    const count = to - from;
    for (let step = 0; step < count; step++) {
      const hue = from + ((number + step) % count);
      if (!this.#taken.has(hue)) return hue;
    }
    return undefined;
  }
}

/** The parts of a container's full name. */
export interface ContainerName {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Returns a container's identity on a terminal and on the page: `namespace/pod/container`. */
export function identityOf({ namespace, pod, container }: ContainerName): string {
  return `${namespace}/${pod}/${container}`;
}

/** FNV-1a, 32 bit (draft-eastlake-fnv, section 2). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

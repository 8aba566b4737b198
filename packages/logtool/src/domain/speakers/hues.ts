/** The hues in which the page and a terminal draw containers; the page's colors are in hue.css, a terminal's in colors.ts. */
export const HUES = 12;

/**
 * Allots colors to containers, numbers from 0: by a stable hash of the identity, moved on when another container has that
 * color, so that all in view differ as long as there are colors. The first HUES of them go first: page and terminal give
 * the same hue to the same containers. Of those that come together, the order does not matter; who comes later moves on
 * past those that are there.
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

  /** A container comes into view: those that come before the next `of` come together. */
  see(identity: string): void {
    if (!this.#hues.has(identity)) this.#waiting.add(identity);
  }

  /** The color of a container, by `identityOf`: the same at each call. */
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

  /** The first free one of a range, from the hash on; undefined: all are taken. */
  #free(number: number, from: number, to: number): number | undefined {
    const count = to - from;
    for (let step = 0; step < count; step++) {
      const hue = from + ((number + step) % count);
      if (!this.#taken.has(hue)) return hue;
    }
    return undefined;
  }
}

/** The parts of a container's whole name. */
export interface ContainerName {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What a container is known by on a terminal and on the page: `namespace/pod/container`. */
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

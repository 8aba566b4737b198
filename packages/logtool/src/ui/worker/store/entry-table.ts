import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { LINE_FLAGS } from '../../../domain/search/line-search.ts';

/** The kinds of entries. */
export const KIND = { dead: 0, line: 1, marker: 2, missing: 3, fact: 4 } as const;

/** Bits of an entry's flags beyond RECORD_FLAGS (1 to 16). */
export const ENTRY_FLAGS = {
  ...LINE_FLAGS,
  /** The entry arrived while the view was paused. */
  withheld: 128,
} as const;

/** The result of a search for a line; `refused`: the line contains something that it must not contain. */
export const VERDICT = { unknown: 0, miss: 1, hit: 2, refused: 3 } as const;

/** Entries per block. */
export const BLOCK = 8192;

function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** Like `%`, which is slow for numbers beyond 32 bits. */
function within(id: number): number {
  return id - blockOf(id) * BLOCK;
}

/** Columns of BLOCK entries; the first one's id is a multiple of BLOCK. */
export class Block {
  readonly seconds = new Float64Array(BLOCK);
  readonly nanos = new Uint32Array(BLOCK);
  /** Rank among entries of the same time and source; see line-store.ts. */
  readonly seq = new Float64Array(BLOCK);
  readonly source = new Uint32Array(BLOCK);
  readonly chunk = new Uint32Array(BLOCK);
  readonly offset = new Uint32Array(BLOCK);
  readonly length = new Uint32Array(BLOCK);
  readonly kind = new Uint8Array(BLOCK);
  /** Index into LEVELS; LEVELS.length: none. */
  readonly level = new Uint8Array(BLOCK);
  readonly flags = new Uint8Array(BLOCK);
  readonly searched = new Uint8Array(BLOCK);
  readonly fielded = new Uint8Array(BLOCK);
  /** Which part of a record the line may be: domain/records. */
  readonly shape = new Uint8Array(BLOCK);
  /** The head of the record that a line continues, and the next line of its record: ids plus one; 0: none. */
  readonly head = new Float64Array(BLOCK);
  readonly next = new Float64Array(BLOCK);
  alive = 0;
}

type Column = Exclude<keyof Block, 'alive'>;

/**
 * Data of each entry, in typed arrays: about 60 bytes per entry. Ids ascend in order of arrival and are never reused;
 * empty blocks are released.
 */
export class EntryTable {
  readonly #blocks: (Block | undefined)[] = [];
  /** The time of one entry of each released block, by block index. */
  readonly #goneTimes = new Map<number, Timestamp>();
  #next: number;
  readonly firstId: number;

  /** `firstId`: ids continue where an earlier table ended. */
  constructor(firstId = 0) {
    this.#next = firstId;
    this.firstId = firstId;
  }

  /** The id of the next entry. */
  get nextId(): number {
    return this.#next;
  }

  create(kind: number): number {
    const id = this.#next++;
    const index = blockOf(id);
    this.#blocks[index] ??= new Block();
    const block = this.#blocks[index] as Block;
    block.kind[within(id)] = kind;
    block.alive++;
    return id;
  }

  /** The block of an entry, for loops over many entries. Undefined: all of its entries are evicted. */
  block(id: number): Block | undefined {
    return this.#blocks[blockOf(id)];
  }

  /** The kind of an entry; KIND.dead if it is evicted. */
  kind(id: number): number {
    return this.#blocks[blockOf(id)]?.kind[within(id)] ?? KIND.dead;
  }

  get(column: Column, id: number): number {
    return (this.#blocks[blockOf(id)] as Block)[column][within(id)] as number;
  }

  set(column: Column, id: number, value: number): void {
    (this.#blocks[blockOf(id)] as Block)[column][within(id)] = value;
  }

  seconds(id: number): number {
    return (this.#blocks[blockOf(id)] as Block).seconds[within(id)] as number;
  }

  nanos(id: number): number {
    return (this.#blocks[blockOf(id)] as Block).nanos[within(id)] as number;
  }

  source(id: number): number {
    return (this.#blocks[blockOf(id)] as Block).source[within(id)] as number;
  }

  level(id: number): number {
    return (this.#blocks[blockOf(id)] as Block).level[within(id)] as number;
  }

  flags(id: number): number {
    return (this.#blocks[blockOf(id)] as Block).flags[within(id)] as number;
  }

  offset(id: number): number {
    return (this.#blocks[blockOf(id)] as Block).offset[within(id)] as number;
  }

  verdict(column: 'searched' | 'fielded', id: number): number {
    return (this.#blocks[blockOf(id)] as Block)[column][within(id)] as number;
  }

  free(id: number): void {
    const index = blockOf(id);
    const block = this.#blocks[index];
    if (block === undefined || block.kind[within(id)] === KIND.dead) return;
    block.kind[within(id)] = KIND.dead;
    // The block that is being filled stays.
    if (--block.alive > 0 || (index + 1) * BLOCK > this.#next) return;
    this.#goneTimes.set(index, { seconds: this.seconds(id), nanos: this.nanos(id) });
    this.#blocks[index] = undefined;
  }

  /**
   * The time of an entry, even if evicted; an approximate time if its neighbors are too. Undefined: not in this table.
   */
  timeOf(id: number): Timestamp | undefined {
    if (id < this.firstId || id >= this.#next) return undefined;
    const index = blockOf(id);
    if (this.#blocks[index] === undefined) return this.#goneTimes.get(index);
    return { seconds: this.seconds(id), nanos: this.nanos(id) };
  }

  /** Forgets the verdicts of a search or a field filter on all entries. */
  clearVerdicts(column: 'searched' | 'fielded'): void {
    for (const block of this.#blocks) block?.[column].fill(VERDICT.unknown);
  }
}

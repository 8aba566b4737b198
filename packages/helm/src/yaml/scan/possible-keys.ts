import type { Cursor, Mark } from './cursor.ts';

/** The possible start of a key without `?`, which only its `:` confirms. */
interface PossibleKey {
  readonly mark: Mark;
  readonly tokenNumber: number;
  /** Whether only a key is valid at this column. */
  readonly isRequired: boolean;
}

/** The block context, or an open flow collection. */
interface Level {
  key: PossibleKey | undefined;
  /** Number of the first token of the last possible key, initially the opening bracket's. */
  lastKeyToken: number;
  /** Whether the tokens from the possible key on wait until it is confirmed or ruled out. */
  holdsBack: boolean;
}

/** A key must be on one line and at most this long. */
const KEY_LENGTH_LIMIT = 1024;

/** The possible keys, at most one in the block context and in each open flow collection. */
export class PossibleKeys {
  readonly #cursor: Cursor;
  readonly #levels: Level[] = [{ key: undefined, lastKeyToken: 0, holdsBack: true }];
  /** The levels with a possible key, by the number of its first token. */
  readonly #byToken = new Map<number, Level>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  get isFlow(): boolean {
    return this.#levels.length > 1;
  }

  get #level(): Level {
    return this.#levels.at(-1) as Level;
  }

  openLevel(bracketToken: number): void {
    this.#levels.push({ key: undefined, lastKeyToken: bracketToken, holdsBack: true });
  }

  closeLevel(): void {
    if (!this.isFlow) return;
    const closed = this.#levels.pop();
    if (closed !== undefined) this.#clear(closed);
    // Go-yaml fails to hold back the opening bracket of a collection in which no key could start.
    if (closed?.lastKeyToken === this.#level.key?.tokenNumber) this.#level.holdsBack = false;
  }

  /** Saves a possible key, which starts with this token at the cursor. */
  save(tokenNumber: number, isRequired: boolean): void {
    this.drop();
    const level = this.#level;
    level.key = { mark: this.#cursor.mark, tokenNumber, isRequired };
    level.lastKeyToken = tokenNumber;
    level.holdsBack = true;
    this.#byToken.set(tokenNumber, level);
  }

  /** Drops the possible key, because none started. */
  drop(): void {
    const level = this.#level;
    if (level.key?.isRequired) throw this.#cursor.error("could not find expected ':'");
    this.#clear(level);
  }

  /** Returns the key that ends with the `:` at the cursor, and removes it from the possible ones. */
  take(): PossibleKey | undefined {
    const level = this.#level;
    const { key } = level;
    if (key === undefined || !this.#isStillKey(level)) return undefined;
    this.#clear(level);
    return key;
  }

  /** Whether a possible key starts with this token. */
  holdBack(tokenNumber: number): boolean {
    const level = this.#byToken.get(tokenNumber);
    return level?.holdsBack === true && this.#isStillKey(level);
  }

  #isStillKey(level: Level): boolean {
    const { key } = level;
    if (key === undefined) return false;
    const cursor = this.#cursor;
    if (key.mark.line === cursor.line && key.mark.index + KEY_LENGTH_LIMIT >= cursor.index) return true;
    if (key.isRequired) throw cursor.error("could not find expected ':'");
    this.#clear(level);
    return false;
  }

  #clear(level: Level): void {
    if (level.key !== undefined) this.#byToken.delete(level.key.tokenNumber);
    level.key = undefined;
  }
}

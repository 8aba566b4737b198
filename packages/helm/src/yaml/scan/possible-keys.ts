import type { Cursor, Mark } from './cursor.ts';

/** Where a key without `?` may have begun: known only when its `:` comes. */
interface PossibleKey {
  readonly mark: Mark;
  readonly tokenNumber: number;
  /** At this column nothing but a key may stand. */
  readonly isRequired: boolean;
}

/** The block context, or a flow collection that is open. */
interface Level {
  key: PossibleKey | undefined;
  /** Number of the token that began the last possible key, at first of the opening bracket. */
  lastKeyToken: number;
  /** The tokens from the possible key on wait until it is known whether it is one. */
  holdsBack: boolean;
}

/** A key must be on one line and no longer than this. */
const KEY_LENGTH_LIMIT = 1024;

/** The keys that may have begun, one at most in the block context and in each flow collection that is open. */
export class PossibleKeys {
  readonly #cursor: Cursor;
  readonly #levels: Level[] = [{ key: undefined, lastKeyToken: 0, holdsBack: true }];
  /** The levels that have a possible key, by the number of its first token. */
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
    // Go-yaml forgets to hold back the opening bracket of a collection in which no key could begin.
    if (closed?.lastKeyToken === this.#level.key?.tokenNumber) this.#level.holdsBack = false;
  }

  /** A key may begin with this token, at the cursor. */
  save(tokenNumber: number, isRequired: boolean): void {
    this.drop();
    const level = this.#level;
    level.key = { mark: this.#cursor.mark, tokenNumber, isRequired };
    level.lastKeyToken = tokenNumber;
    level.holdsBack = true;
    this.#byToken.set(tokenNumber, level);
  }

  /** No key began after all. */
  drop(): void {
    const level = this.#level;
    if (level.key?.isRequired) throw this.#cursor.error("could not find expected ':'");
    this.#clear(level);
  }

  /** The key that ends with the `:` at the cursor, which is no longer a possible one then. */
  take(): PossibleKey | undefined {
    const level = this.#level;
    const { key } = level;
    if (key === undefined || !this.#isStillKey(level)) return undefined;
    this.#clear(level);
    return key;
  }

  /** Whether a key that is still possible begins with this token. */
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

import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { CliContext, OutputStream } from '../../context.ts';

/** The status line appears once the terminal has been silent this long, at the next tick: together 1 s. */
const SILENCE_MS = 700;
const TICK_MS = 300;

const ERASE = '\r\x1b[2K';
const NEWLINE = 10;

/**
 * The terminal's one line that later text overwrites: it shows what the program is waiting for. Anything else
 * written to that terminal through `guard` erases it first. On anything but a terminal it does nothing.
 */
export class StatusLine {
  readonly #stderr: OutputStream;
  readonly #clock: Clock | undefined;
  readonly #isOn: boolean;
  #text: ((last: string | undefined) => string | undefined) | undefined;
  /** The last text given to `show`. */
  #last: string | undefined;
  #shown: string | undefined;
  #lastWriteMs = 0;
  /** Writes that the terminal has not accepted yet. */
  #pending = 0;
  #isMidLine = false;
  #cancel: (() => void) | undefined;

  constructor(
    stderr: OutputStream,
    options: {
      /** Required for `watch`. */
      readonly clock?: Clock;
      readonly env?: CliContext['env'];
      readonly quiet?: boolean;
    } = {},
  ) {
    this.#stderr = stderr;
    this.#clock = options.clock;
    this.#isOn = stderr.isTTY && options.env?.TERM !== 'dumb' && options.quiet !== true;
  }

  /** Whether a terminal can show it. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * From now on, shows this text whenever the terminal is silent for a moment. The text function gets the
   * last text given to `show`; it returns undefined for none.
   */
  watch(text: (last: string | undefined) => string | undefined): void {
    if (!this.#isOn || this.#clock === undefined) return;
    const isRunning = this.#text !== undefined;
    this.#text = text;
    this.#lastWriteMs = this.#clock.steady();
    if (!isRunning) this.#tickLater(this.#clock);
  }

  /** Shows a text at once. */
  async show(text: string): Promise<void> {
    this.#last = text;
    await this.#draw(text);
  }

  async #draw(text: string): Promise<void> {
    if (!this.#isOn || this.#isMidLine) return;
    // 0 means a terminal of unknown size.
    const width = (this.#stderr.columns || 80) - 1;
    const clean = sanitizeText(text);
    const cut = clean.length > width ? `${clean.slice(0, width - 1)}…` : clean;
    if (cut === this.#shown) return;
    this.#shown = cut;
    await this.#writing(this.#stderr.write(ERASE + cut));
  }

  /** Erases the line until there is something to show again. */
  async clear(): Promise<void> {
    if (this.#shown === undefined) return;
    this.#shown = undefined;
    await this.#writing(this.#stderr.write(ERASE));
  }

  /** Erases the line permanently. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#text = undefined;
    await this.clear();
  }

  /** Returns a stream that erases the line before it writes. */
  guard(stream: OutputStream): OutputStream {
    if (!this.#isOn || !stream.isTTY) return stream;
    return {
      isTTY: true,
      get columns() {
        return stream.columns;
      },
      write: (chunk) => {
        void this.clear();
        this.#isMidLine = !endsLine(chunk, this.#isMidLine);
        return this.#writing(stream.write(chunk));
      },
    };
  }

  /** Returns a context with both streams guarded. */
  guardBoth<Context extends Pick<CliContext, 'stdout' | 'stderr'>>(context: Context): Context {
    return { ...context, stdout: this.guard(context.stdout), stderr: this.guard(context.stderr) };
  }

  async #writing(write: Promise<void>): Promise<void> {
    this.#pending++;
    try {
      await write;
    } finally {
      this.#pending--;
      this.#lastWriteMs = this.#clock?.steady() ?? 0;
    }
  }

  #tickLater(clock: Clock): void {
    this.#cancel = clock.after(TICK_MS, () => {
      this.#tick(clock);
      if (this.#text !== undefined) this.#tickLater(clock);
    });
  }

  #tick(clock: Clock): void {
    // A terminal that is not accepting output is not silent, and the prompt of a credential plugin must stay.
    if (this.#pending > 0 || this.#isMidLine) return;
    const isSilent = clock.steady() - this.#lastWriteMs >= SILENCE_MS;
    if (!isSilent && this.#shown === undefined) return;
    const text = this.#text?.(this.#last);
    void (text === undefined ? this.clear() : this.#draw(text));
  }
}

function endsLine(chunk: string | Uint8Array, isMidLine: boolean): boolean {
  if (chunk.length === 0) return !isMidLine;
  return typeof chunk === 'string' ? chunk.endsWith('\n') : chunk.at(-1) === NEWLINE;
}

import type { KubeClient, LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { StatusLine } from './status-line.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Number of sources to name while they are looked up. */
const MAX_NAMED = 1;
const NEWLINE = 10;

type Stage = 'connecting' | 'resolving' | 'reading';

const keyOf = (of: {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string | undefined;
}) => `${of.namespace}/${of.pod}/${of.container ?? ''}`;

/** Describes in one line what `logs` is waiting for: events update it, and a status line shows it. */
export class LogProgress {
  readonly #sources: readonly string[];
  readonly #status: StatusLine;
  /** Records go to a file or a pipe, so their number is not visible. */
  readonly #countsOutput: boolean;
  #stage: Stage = 'connecting';
  readonly #containers = new Set<string>();
  /** The pods of containers whose log has not sent anything yet, by the container's key. */
  readonly #unanswered = new Map<string, string>();
  #receivedBytes = 0;
  #writtenBytes = 0;
  #writtenLines = 0;
  #note: string | undefined;
  #isOver = false;

  constructor(status: StatusLine, sources: readonly string[], countsOutput: boolean) {
    this.#status = status;
    this.#sources = sources;
    this.#countsOutput = countsOutput;
  }

  /** Whether it is visible: otherwise it need not count anything. */
  get isOn(): boolean {
    return this.#status.isOn;
  }

  begin(stage: Stage): void {
    this.#stage = stage;
    this.#status.watch(() => this.text());
  }

  /** Nothing is awaited any more, or only what may never arrive. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#status.close();
  }

  see(target: ContainerTarget): void {
    const key = keyOf(target);
    if (this.#isOver || this.#containers.has(key)) return;
    this.#containers.add(key);
    // A container that has not started has no log to wait for.
    const hasLog = target.state.kind !== 'waiting' || target.lastContainerId !== undefined;
    if (hasLog) this.#unanswered.set(key, target.pod);
  }

  /** The container's log sends no more, or never did. */
  forget(target: ContainerTarget): void {
    this.#unanswered.delete(keyOf(target));
  }

  /** Sets the engine's own progress text. */
  note(text: string): void {
    this.#note = text;
  }

  wrote(bytes: number, lines: number): void {
    this.#writtenBytes += bytes;
    this.#writtenLines += lines;
  }

  /** Counts a log that is copied through; counts lines only if they are visible. */
  wroteChunk(bytes: Uint8Array): void {
    if (!this.isOn || !this.#countsOutput) return;
    let lines = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
    this.wrote(bytes.length, lines);
  }

  /** Returns a client that records which logs it reads, and how many bytes. */
  watch<Client extends KubeClient>(client: Client): Client {
    if (!this.isOn) return client;
    return {
      ...client,
      log: async (query, options) => this.#watchLog(query, await client.log(query, options)),
    };
  }

  text(): string {
    switch (this.#stage) {
      case 'connecting':
        return 'connecting to the cluster';
      case 'resolving':
        return `looking up ${this.#sourcesText()}`;
      case 'reading':
        return this.#readingText();
    }
  }

  #sourcesText(): string {
    const named = this.#sources.slice(0, MAX_NAMED).join(', ');
    const others = this.#sources.length - MAX_NAMED;
    return others > 0 ? `${named} and ${others} more` : named;
  }

  #readingText(): string {
    const texts: string[] = [];
    if (this.#countsOutput && this.#writtenBytes > 0) {
      const lines = this.#writtenLines === 1 ? 'line' : 'lines';
      texts.push(
        `${this.#writtenLines.toLocaleString('en-US')} ${lines}, ${bytesText(this.#writtenBytes)} written`,
      );
    }
    const [first] = this.#unanswered.values();
    const total = this.#containers.size;
    if (first !== undefined) {
      const others = this.#unanswered.size > 1 ? ', ...' : '';
      texts.push(`waiting for ${this.#unanswered.size} of ${containersText(total)} (${first}${others})`);
    } else if (texts.length === 0 && this.#note === undefined) {
      texts.push(`reading ${containersText(total)}: ${bytesText(this.#receivedBytes)} so far`);
    }
    if (this.#note !== undefined) texts.push(this.#note);
    return texts.join('; ');
  }

  #watchLog(query: LogQuery, response: LogResponse): LogResponse {
    const key = keyOf(query);
    const answered = () => this.#unanswered.delete(key);
    const received = (bytes: number) => {
      this.#receivedBytes += bytes;
    };
    return { ...response, body: watchBody(response.body, answered, received) };
  }
}

function containersText(count: number): string {
  return count === 1 ? '1 container' : `${count.toLocaleString('en-US')} containers`;
}

/**
 * An answer counts from its first bytes, or from its end: a node sends the response's head before it has a
 * log to send.
 */
async function* watchBody(
  body: AsyncIterable<Uint8Array>,
  answered: () => void,
  received: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    answered();
    received(chunk.length);
    yield chunk;
  }
  answered();
}

/** Formats a number of bytes for people: `812 B`, `45.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  // Rounding would show 999.95 as 1000.0 of the smaller unit.
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}

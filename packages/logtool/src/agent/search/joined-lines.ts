import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun, type Run } from '../../domain/record.ts';
import { type FileEntry, timeOf } from '../entries/file-entries.ts';

/** A line is judged by so much of its message; what comes after it is judged as a line of its own. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** A line of a container: its record, and the entries that it has in the files, as they were read. */
export interface JoinedLine {
  readonly record: LogRecord;
  readonly entries: readonly FileEntry[];
}

/** Whose logs are searched. */
export type SearchedContainer = Pick<ContainerTarget, 'namespace' | 'pod' | 'podUid' | 'container'>;

/** Joins entries to lines, as they come in either direction. */
export class JoinedLines {
  readonly #target: ContainerTarget;
  readonly #isForward: boolean;
  readonly #runs = new Map<number, Run>();
  #open: FileEntry[] = [];
  #last: readonly FileEntry[] = [];
  #openBytes = 0;
  #lines = 0;

  constructor(container: SearchedContainer, direction: 'forward' | 'backward') {
    this.#target = targetOf(container);
    this.#isForward = direction === 'forward';
  }

  get target(): ContainerTarget {
    return this.#target;
  }

  /** The entry of the line that may go on, which was read first. */
  get open(): FileEntry | undefined {
    return this.#open[0];
  }

  /** The entries of the line that was complete last, as they were read. */
  get last(): readonly FileEntry[] {
    return this.#last;
  }

  /** Returns the lines that are complete with these entries. */
  take(entries: readonly FileEntry[]): JoinedLine[] {
    const lines: JoinedLine[] = [];
    for (const entry of entries) {
      if (!this.#isForward && !entry.isPartial) lines.push(...this.end());
      if (this.#openBytes > MAX_LINE_BYTES) lines.push(...this.end());
      this.#open.push(entry);
      this.#openBytes += entry.text.length;
      if (this.#isForward && !entry.isPartial) lines.push(...this.end());
    }
    return lines;
  }

  /** Returns the last line, which does not go on. */
  end(): JoinedLine[] {
    const entries = this.#open;
    const first = this.#isForward ? entries[0] : entries.at(-1);
    if (first !== undefined) this.#last = entries;
    this.#open = [];
    this.#openBytes = 0;
    return first === undefined ? [] : [{ record: this.#recordOf(first, entries), entries }];
  }

  #recordOf(first: FileEntry, entries: readonly FileEntry[]): LogRecord {
    const inOrder = this.#isForward ? entries : entries.toReversed();
    const pieces = inOrder.map(({ text, message }) => text.subarray(message));
    return {
      run: this.#runOf(first.file.run),
      at: timeOf(first) ?? { seconds: 0, nanos: 0 },
      seq: this.#lines++,
      message: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces),
      partial: false,
      late: false,
    };
  }

  #runOf(number: number): Run {
    const known = this.#runs.get(number) ?? makeRun(this.#target, String(number));
    this.#runs.set(number, known);
    return known;
  }
}

/** The files do not tell more of a container than its name. */
function targetOf(container: SearchedContainer): ContainerTarget {
  return {
    ...container,
    id: `${container.podUid}/${container.container}`,
    kind: 'regular',
    placement: {},
    state: { kind: 'waiting', reason: '', message: '' },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: '',
    deleting: false,
  };
}

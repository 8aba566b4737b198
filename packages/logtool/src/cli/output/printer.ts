import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { isLost } from '../../domain/coverage/lost.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { ContainerFrame, Frame, GapCause } from '../../domain/frame.ts';
import { asksForNone, type Window } from '../../domain/window.ts';
import type { CliContext } from '../context.ts';
import type { EmptyRead } from '../failures.ts';
import { commandFailure, withMessage } from '../messages/errors.ts';
import type { LogtoolError } from '../messages/logtool-error.ts';
import type { CausedNotice } from '../messages/notice-text.ts';
import { MAX_SINGLE } from '../messages/target-text.ts';
import type { OutputPlan } from '../plan/logs/logs-plan.ts';
import { errorText } from './error-text.ts';
import type { FactFormat } from './facts/fact-format.ts';
import { ByteBuilder } from './format/byte-builder.ts';
import { wantsColor } from './format/colors.ts';
import { appendRecords, type RecordFormat } from './format/record-format.ts';
import { TerminalCopy } from './format/terminal-copy.ts';
import type { PrintedFrame } from './limit-bytes.ts';
import { cursorLines, cutLine } from './notices/end-lines.ts';
import type { Held } from './notices/held.ts';
import { Hints } from './notices/hints.ts';
import { createNotifier, type Notifier } from './notices/notifier.ts';
import { Outage } from './notices/outage.ts';
import type { WaitingFrame } from './notices/source-errors.ts';
import { Unreadable } from './notices/unreadable.ts';
import type { LogProgress } from './progress/log-progress.ts';
import type { StatusLine } from './progress/status-line.ts';

export interface PrinterPlan {
  readonly output: OutputPlan;
  readonly window: Window;
  readonly countIsDefault: boolean;
  /** Treat an empty result as a failure. */
  readonly failEmpty: boolean;
  /** Older files of the nodes are not read. */
  readonly skipsRotated: boolean;
  /** A content filter may remove all records of a window. */
  readonly filtered: boolean;
}

const NEWLINE = 10;

/**
 * Prints what the engine yields: records to standard output, everything else to standard error. Loads texts
 * for standard error on first use: most runs print only records.
 */
export class Printer {
  readonly #context: CliContext;
  readonly #plan: PrinterPlan;
  readonly #format: RecordFormat;
  /** Formats facts, if they are wanted among the records. */
  readonly #factFormat: FactFormat | undefined;
  readonly #notifier: Notifier;
  readonly #colored: boolean;
  readonly #builder = new ByteBuilder();
  /** Escapes bytes copied to a terminal. */
  readonly #copy: TerminalCopy | undefined;
  readonly #outage: Outage;
  readonly #unreadable: Unreadable;
  /** Created for the first item that waits. */
  #held: Promise<Held> | undefined;
  readonly #hints: Hints;
  readonly #progress: LogProgress;
  readonly #waiting = new Map<string, WaitingFrame>();
  readonly #reported = new Set<string>();
  /** The last report on each container, by its ID. */
  readonly #lastLine = new Map<string, string>();
  #headerDone = false;
  #recordsSeen = false;
  #live = false;
  #midLine = false;
  #failures = 0;
  #searchWasLimited = false;
  #seenSome = false;
  #hasPrevious = false;
  /** Reports on runs before a restart that are no longer readable. */
  readonly #removed: string[] = [];
  /** What the node no longer has, unreported because records may follow. */
  readonly #unsaid: Extract<PrintedFrame, { type: 'gap' }>[] = [];

  /** `context` writes through `status`, which shows `progress`: only writes to the terminal erase it. */
  constructor(
    context: CliContext,
    plan: PrinterPlan,
    format: RecordFormat,
    {
      status,
      progress,
      facts,
    }: {
      readonly status: StatusLine;
      readonly progress: LogProgress;
      readonly facts?: FactFormat | undefined;
    },
  ) {
    this.#factFormat = facts;
    this.#context = context;
    this.#plan = plan;
    this.#format = format;
    this.#notifier = createNotifier(context.stderr, status);
    this.#progress = progress;
    const { env, stdout } = context;
    const later = (line: string) => void this.#notifier.line(line);
    this.#outage = new Outage(context.clock, later);
    this.#unreadable = new Unreadable(context.clock, later);
    this.#hints = new Hints(context, plan.output, format, this.#notifier);
    this.#colored = wantsColor(plan.output.color, env, stdout);
    this.#copy = stdout.isTTY ? new TerminalCopy(this.#colored) : undefined;
  }

  /** Number of failures reported so far. */
  get failures(): number {
    return this.#failures;
  }

  see(target: ContainerTarget): void {
    this.#seenSome = true;
    this.#outage.seeContainer(target.id);
    this.#unreadable.seeContainer(target);
    if (target.lastContainerId !== undefined) this.#hasPrevious = true;
    this.#format.see(target);
    this.#factFormat?.see(target);
    this.#hints.see(target);
    this.#progress.see(target);
  }

  /** The container yields no more records. */
  forget(target: ContainerTarget): void {
    this.#hints.forget(target);
    this.#progress.forget(target);
  }

  /** All containers that exist now are known. */
  async synced(): Promise<void> {
    this.#progress.begin('reading');
    await this.#hints.reportHidden();
  }

  async notice(notice: CausedNotice): Promise<void> {
    this.#unreadable.seeNotice(notice.code);
    const text = (await noticeTexts()).noticeText(notice);
    if (this.#outage.seeNotice({ code: notice.code, text }, this.#reportsSources()))
      await this.#notifier.line(text);
  }

  /**
   * Reports a failure while the rest continues, each text once. A failure of a `target` waits a moment for
   * others of the same cause.
   */
  async fail(failure: CodedError, target?: ContainerTarget): Promise<void> {
    this.#failures++;
    const error = await withMessage(failure);
    if (target === undefined) return this.#report(error);
    (await this.#holding()).problems.hold({ error, target });
  }

  #holding(): Promise<Held> {
    this.#held ??= import('./notices/held.ts').then(
      ({ Held }) =>
        new Held(
          this.#context.clock,
          (line) => this.#notifier.line(line),
          (error) => this.#report(error),
        ),
    );
    return this.#held;
  }

  async #report(error: LogtoolError): Promise<void> {
    const text = errorText(error);
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    await this.#notifier.clear();
    await this.#context.stderr.write(text);
  }

  async print(frame: PrintedFrame): Promise<void> {
    switch (frame.type) {
      case 'records':
        return this.#printRecords(frame);
      case 'fact':
        return this.#printFact(frame.fact);
      case 'bytes':
        return this.#printBytes(frame.bytes);
      case 'source':
        return this.#printSource(frame);
      case 'gap':
        return this.#printGap(frame);
      case 'notice':
        return this.#printNotice(frame);
      case 'progress':
        return this.#printProgress(frame);
      case 'end':
        return this.#printEnd(frame);
      case 'answered':
      case 'unanswered':
        return;
      default:
        frame satisfies never;
    }
  }

  /** Takes that no record was read. */
  seeNone(): void {
    if (this.#plan.skipsRotated) this.#hints.seeNone(this.#context.clock.now() / 1_000);
  }

  async #printGap(frame: Extract<PrintedFrame, { type: 'gap' }>): Promise<void> {
    if (isLost(frame.cause) && !this.#showsLost(frame.cause)) return void this.#unsaid.push(frame);
    if (this.#plan.skipsRotated) this.#hints.seeGap(frame.cause);
    if (this.#plan.window.follow || isLost(frame.cause)) return (await this.#holding()).gaps.hold(frame);
    const { gapLine } = await import('../messages/gap.ts');
    return this.#notifier.line(gapLine(frame));
  }

  /**
   * Whether to report what the node no longer has while records may follow. A head claims to begin with the first
   * records. A range and a search claim that nothing else was there: the engine yields the gap only if they went back to
   * the oldest record.
   */
  #showsLost({ code }: GapCause): boolean {
    const { window, filtered } = this.#plan;
    if (window.selection.kind === 'head') return true;
    if (!window.follow && !asksForNone(window) && (filtered || window.to !== undefined)) return true;
    // A guess, which helps a user but would only alarm a script.
    return (code === 'begins-late' || code === 'run-begins-late') && this.#context.stderr.isTTY;
  }

  async #printNotice(frame: Extract<PrintedFrame, { type: 'notice' }>): Promise<void> {
    if (frame.code === 'source-failed') return this.fail(frame.error);
    if (frame.code === 'search-limit') this.#searchWasLimited = true;
    if (frame.code === 'run-removed') return void this.#removed.push((await noticeTexts()).noticeText(frame));
    return this.notice(frame);
  }

  async #printProgress(frame: Extract<Frame, { type: 'progress' }>): Promise<void> {
    if (this.#plan.output.quiet) return;
    const text = (await noticeTexts()).progressText(frame);
    // Where a progress text cannot be overwritten, prints it once, and only if containers take turns.
    if (!this.#context.stderr.isTTY && frame.code === 'in-turns') return this.#notifier.line(text);
    this.#progress.note(text);
    return this.#notifier.progress(text);
  }

  /** Runs after the last frame: names containers that never started. */
  async finish(): Promise<void> {
    // Without records the output claims that there is nothing.
    if (!this.#recordsSeen && !asksForNone(this.#plan.window))
      for (const gap of this.#unsaid) (await this.#holding()).gaps.hold(gap);
    await this.leave();
    if (!this.#plan.window.follow) await this.#reportWaiting();
    if (!this.#recordsSeen && this.#failures === 0 && this.#plan.failEmpty)
      await this.fail(commandFailure('empty-result', this.#read()));
    await (await this.#held)?.problems.flush();
  }

  /** Names containers that never started, and removed runs, beside what was read. */
  async reportUnstarted(): Promise<void> {
    if (this.#plan.output.quiet || this.#waiting.size + this.#removed.length === 0) return;
    const { waitingLines, removedLines } = await import('./notices/source-errors.ts');
    const lines = [...waitingLines([...this.#waiting.values()]), ...removedLines(this.#removed)];
    for (const line of lines) await this.#notifier.line(line);
  }

  async #reportWaiting(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    if (waiting.length === 0 && this.#removed.length === 0 && !this.#lacksPrevious()) return;
    // The user asked for the others, but a stalled container must not go unnoticed.
    if (this.#recordsSeen) return this.reportUnstarted();
    const errors = await import('./notices/source-errors.ts');
    for (const frame of waiting) await this.fail(errors.waitingError(frame), frame.target);
    if (this.#lacksPrevious()) await this.fail(errors.noPreviousError());
  }

  /** Runs however the view ended: restores a terminal for the prompt, and leaves a pipe unchanged. */
  async leave(): Promise<void> {
    this.#outage.close();
    this.#unreadable.close();
    await (await this.#held)?.flush();
    await this.#hints.reportOlderFiles();
    await this.#progress.end();
    // A copied log keeps its end, so that a pipe gets the same bytes as from kubectl; a prompt needs its own
    // line.
    if (!this.#context.stdout.isTTY) return;
    await this.#endLine();
    // At Ctrl-C a terminal discards output it has not shown yet, perhaps in the middle of a color.
    if (this.#colored && this.#context.signal.aborted) await this.#context.stdout.write('\x1b[0m');
  }

  /** Whether a user is watching containers come and go. */
  #reportsSources(): boolean {
    return !this.#plan.output.quiet && this.#context.stderr.isTTY && this.#plan.window.follow;
  }

  #lacksPrevious(): boolean {
    const previousOnly = this.#plan.window.previous === 'only';
    const isVain = !this.#hasPrevious || this.#removed.length > 0;
    return previousOnly && this.#seenSome && isVain && this.#failures === 0 && !this.#recordsSeen;
  }

  async #printRecords(frame: Extract<Frame, { type: 'records' }>): Promise<void> {
    if (frame.records.length === 0) return;
    await this.#begin();
    await this.#endLine();
    await appendRecords(this.#format, frame.records, this.#builder, this.#context.signal);
    this.#hints.seeRecords(frame.records);
    this.#progress.wrote(this.#builder.length, frame.records.length);
    await this.#context.stdout.write(this.#builder.take());
  }

  async #printFact(fact: Fact): Promise<void> {
    await this.#header();
    await this.#endLine();
    this.#factFormat?.append(fact, this.#builder);
    await this.#context.stdout.write(this.#builder.take());
  }

  async #printBytes(bytes: Uint8Array): Promise<void> {
    const last = bytes.at(-1);
    if (last === undefined) return;
    await this.#begin();
    this.#progress.wroteChunk(bytes);
    await this.#context.stdout.write(this.#copy?.push(bytes) ?? bytes);
    this.#midLine = last !== NEWLINE;
  }

  async #begin(): Promise<void> {
    this.#recordsSeen = true;
    await this.#header();
  }

  async #header(): Promise<void> {
    if (this.#headerDone) return;
    this.#headerDone = true;
    if (this.#format.notice !== undefined) await this.#notifier.line(this.#format.notice);
    const header = this.#format.header();
    if (header !== undefined) await this.#context.stdout.write(header);
  }

  async #endLine(): Promise<void> {
    if (!this.#midLine) return;
    this.#midLine = false;
    await this.#context.stdout.write(`${this.#copy?.rest() ?? ''}\n`);
  }

  async #printSource(frame: ContainerFrame): Promise<void> {
    this.#noteState(frame);
    const isWatched = this.#reportsSources();
    if (this.#plan.window.follow && !isWatched) this.#unreadable.see(frame, await whyAway(frame));
    if (frame.state === 'failed') return this.fail(frame.error, frame.target);
    // The user asked for the initial containers; one line for each would bury the records.
    if (!isWatched || (!this.#live && frame.state === 'joined')) return;
    const change = this.#outage.changeOf(frame);
    if (change === undefined) return;
    const line = typeof change === 'string' ? change : (await sourceTexts()).sourceLine(change);
    if (!this.#isNewLine(frame, line)) return;
    if (this.#mayBeOneOfMany(frame)) return (await this.#holding()).waits.hold(frame);
    const held = await this.#held;
    // The container was waiting before this change.
    if (held?.waits.some(({ target }) => target.id === frame.target.id)) await held.waits.flush();
    const bullet = frame.state === 'joined' ? this.#hints.bulletOf(frame.target) : undefined;
    if (bullet === undefined) await this.#notifier.line(line);
    else await this.#notifier.colored(`+ ${bullet}${sanitizeText(line).slice(1)}`);
  }

  /** Records facts about a container for the end of the output. */
  #noteState(frame: ContainerFrame): void {
    const { state, target } = frame;
    if (frame.state === 'waiting') this.#waiting.set(target.id, frame);
    else this.#waiting.delete(target.id);
    if (state === 'waiting' || state === 'failed') this.#progress.forget(target);
    else if (state === 'left') this.forget(target);
  }

  /**
   * Whether the container's last report differs: the backlog and the live part both find a waiting container.
   */
  #isNewLine({ state, target }: ContainerFrame, line: string): boolean {
    if (state === 'waiting' && this.#lastLine.get(target.id) === line) return false;
    if (state === 'left') this.#lastLine.delete(target.id);
    else this.#lastLine.set(target.id, line);
    return true;
  }

  #mayBeOneOfMany(frame: ContainerFrame): frame is WaitingFrame {
    return (
      frame.state === 'waiting' && frame.others === undefined && this.#hints.containers.length > MAX_SINGLE
    );
  }

  #read(): EmptyRead {
    const { window, filtered } = this.#plan;
    const { containers } = this.#hints;
    return { window, filtered, containers, searchWasLimited: this.#searchWasLimited };
  }

  async #printEnd(frame: Extract<Frame, { type: 'end' }>): Promise<void> {
    this.#live = frame.live;
    if (frame.live) await this.#progress.end();
    const { output, window, countIsDefault, filtered, failEmpty } = this.#plan;
    const { stdout, stderr } = this.#context;
    const vain = this.#failures > 0 || this.#waiting.size > 0 || this.#lacksPrevious();
    if (this.#recordsSeen || !(vain || failEmpty)) await this.#header();
    await this.#hints.reportLegend(frame.live);
    if (output.cursors)
      for (const line of cursorLines(window.selection, frame, filtered)) await this.#notifier.line(line);
    if (output.quiet || !stderr.isTTY || frame.live) return;
    const found = this.#recordsSeen || frame.cut || asksForNone(window);
    if (!found && !vain && !failEmpty) {
      const { emptyText } = await import('../messages/empty-text.ts');
      await this.#notifier.line(emptyText(this.#read()));
      this.seeNone();
    }
    const hint = cutLine(window.selection);
    if (stdout.isTTY && frame.cut && countIsDefault && hint !== undefined) await this.#notifier.line(hint);
  }
}

const noticeTexts = () => import('../messages/notice-text.ts');
const sourceTexts = () => import('../messages/container-report.ts');

/** Returns why the connection of a container is down, if it is. */
async function whyAway(frame: ContainerFrame): Promise<string> {
  if (frame.state !== 'reconnecting') return '';
  const { whyText } = await import('../../messages/problems.ts');
  return whyText(frame.why);
}

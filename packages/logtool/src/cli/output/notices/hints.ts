import { type ContainerTarget, currentRunId, startOfRun } from '../../../domain/container.ts';
import { mayBeRotatedEmpty } from '../../../domain/coverage/lost.ts';
import type { GapCause } from '../../../domain/frame.ts';
import type { LogRecord } from '../../../domain/record.ts';
import { namesText } from '../../../messages/lists.ts';
import type { CliContext } from '../../context.ts';
import type { OutputPlan } from '../../plan/logs/logs-plan.ts';
import { wantsColor } from '../format/colors.ts';
import type { RecordFormat } from '../format/record-format.ts';
import { legendLines } from './legend.ts';
import type { Notifier } from './notifier.ts';

const MAX_NAMED = 5;
const OLDER_FILES =
  'the node may have older records in files that it rotated away: --rotated reads them, if you have permission to get nodes/proxy';

const DEFAULT_WIDTH = 80;

/**
 * Facts that a user at a terminal needs to understand the records: which containers they are from, and which
 * are omitted.
 */
export class Hints {
  readonly #context: Pick<CliContext, 'env' | 'stdout' | 'stderr'>;
  readonly #format: RecordFormat;
  readonly #notifier: Notifier;
  readonly #isOn: boolean;
  readonly #hasLegend: boolean;
  readonly #hidden = new HiddenContainers();
  /** Containers being read, by ID. */
  readonly #containers = new Map<string, ContainerTarget>();
  /** The containers with printed records, by ID. */
  readonly #printed = new Map<string, ContainerTarget>();
  #last: unknown;
  /** After that, ignores later pods, because there may be thousands. */
  #isHiddenReported = false;
  /** Records may be missing that are in older files of a node. */
  #mayHaveFiles = false;

  constructor(
    context: Pick<CliContext, 'env' | 'stdout' | 'stderr'>,
    output: Pick<OutputPlan, 'color' | 'quiet'>,
    format: RecordFormat,
    notifier: Notifier,
  ) {
    this.#context = context;
    this.#format = format;
    this.#notifier = notifier;
    const { env, stdout, stderr } = context;
    this.#isOn = stderr.isTTY && !output.quiet;
    this.#hasLegend = this.#isOn && stdout.isTTY && wantsColor(output.color, env, stderr);
  }

  /** Containers being read. */
  get containers(): readonly ContainerTarget[] {
    return [...this.#containers.values()];
  }

  see(target: ContainerTarget): void {
    this.#containers.set(target.id, target);
    if (!this.#isHiddenReported) this.#hidden.see(target);
  }

  forget(target: ContainerTarget): void {
    this.#containers.delete(target.id);
  }

  seeRecords(records: readonly LogRecord[]): void {
    if (!this.#hasLegend) return;
    for (const { run } of records) {
      if (run === this.#last) continue;
      this.#last = run;
      this.#printed.set(run.target.id, run.target);
    }
  }

  /** Once the containers are known, reports the omitted ones. */
  async reportHidden(): Promise<void> {
    this.#isHiddenReported = true;
    const line = this.#isOn ? this.#hidden.line() : undefined;
    if (line !== undefined) await this.#notifier.line(line);
  }

  seeGap({ code }: GapCause): void {
    if (code === 'rotated' || code === 'begins-late' || code === 'run-begins-late') this.#mayHaveFiles = true;
  }

  /** Takes that no record was read: nodes may have rotated those of containers that have run for long. */
  seeNone(nowSeconds: number): void {
    const isOld = (target: ContainerTarget) =>
      mayBeRotatedEmpty(startOfRun(target, currentRunId(target)), nowSeconds);
    if (this.containers.some(isOld)) this.#mayHaveFiles = true;
  }

  /** After the last report of a gap: reports how to read what a node has and the log API does not serve. */
  async reportOlderFiles(): Promise<void> {
    if (this.#isOn && this.#mayHaveFiles) await this.#notifier.line(OLDER_FILES);
    this.#mayHaveFiles = false;
  }

  /**
   * Reports which bullet is which container: for the printed records, and with `live` also for later ones.
   */
  async reportLegend(live: boolean): Promise<void> {
    if (this.#containers.size < 2) return;
    const targets = live ? new Map([...this.#printed, ...this.#containers]) : this.#printed;
    const width = this.#context.stderr.columns || DEFAULT_WIDTH;
    const first = [...targets.values()][0];
    if (first === undefined || this.bulletOf(first) === undefined) return;
    const lines = legendLines([...targets.values()], (target) => this.bulletOf(target) ?? '', width);
    for (const line of lines) await this.#notifier.colored(line);
  }

  /** Returns the bullet of a container's records, if there is a legend. */
  bulletOf(target: ContainerTarget): string | undefined {
    return this.#hasLegend ? this.#format.bulletOf?.(target) : undefined;
  }
}

/** Containers of the shown pods that are omitted by default. */
class HiddenContainers {
  readonly #shown = new Set<string>();
  /** By pod, because another source may include what this one omits. */
  readonly #hidden = new Map<string, readonly string[]>();
  readonly #byPod = new Map<string, Set<string>>();

  see({ podUid, container, hidden = [] }: ContainerTarget): void {
    this.#shown.add(container);
    const ofPod = this.#byPod.get(podUid) ?? new Set();
    this.#byPod.set(podUid, ofPod.add(container));
    if (hidden.length > 0) this.#hidden.set(podUid, hidden);
  }

  /** Returns `showing container app; also: metrics (--all-containers)`; undefined if nothing is omitted. */
  line(): string | undefined {
    const left = new Set<string>();
    for (const [podUid, names] of this.#hidden)
      for (const name of names) if (!this.#byPod.get(podUid)?.has(name)) left.add(name);
    if (left.size === 0) return undefined;
    const shown = `container${this.#shown.size === 1 ? '' : 's'} ${namesText([...this.#shown], MAX_NAMED)}`;
    return `showing ${shown}; also: ${namesText([...left], MAX_NAMED)} (--all-containers)`;
  }
}

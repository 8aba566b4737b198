import type { ContainerTarget } from '../../../domain/container.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import { makeRun, type Run } from '../../../domain/record.ts';
import { factLine } from '../../../messages/facts.ts';
import type { CliContext } from '../../context.ts';
import type { OutputPlan } from '../../plan/logs/logs-plan.ts';
import type { ByteBuilder } from '../format/byte-builder.ts';
import { createFormat } from '../format/create-format.ts';
import { escapeJson } from '../format/escape-json.ts';
import type { RecordFormat } from '../format/record-format.ts';
import { createTimeFormat, wholeSeconds } from '../format/time-format.ts';
import { factJson } from './fact-json.ts';

/** Writes facts as rows among records: in the same columns, with whole seconds marked as such. */
export class FactFormat {
  readonly #plan: OutputPlan;
  /** For times that the cluster writes in full precision. */
  readonly #exact: RecordFormat;
  /** For times of whole seconds. */
  readonly #whole: RecordFormat;
  readonly #time: ReturnType<typeof createTimeFormat>;
  readonly #encoder = new TextEncoder();
  /** One container of each pod, by pod UID, so that facts of the pod have its bullet. */
  readonly #targets = new Map<string, ContainerTarget>();
  readonly #sources = new Map<string, Run>();

  private constructor(plan: OutputPlan, exact: RecordFormat, whole: RecordFormat) {
    this.#plan = plan;
    this.#exact = exact;
    this.#whole = whole;
    this.#time = createTimeFormat(plan.timezone);
  }

  static async create(plan: OutputPlan, context: Pick<CliContext, 'env' | 'stdout'>): Promise<FactFormat> {
    const exact = await createFormat(plan, context);
    const whole = await createFormat(plan, context, wholeSeconds(createTimeFormat(plan.timezone)));
    return new FactFormat(plan, exact, whole);
  }

  /** Grows columns for a new container, as for records. */
  see(target: ContainerTarget): void {
    this.#exact.see(target);
    this.#whole.see(target);
    const known = this.#targets.get(target.podUid);
    if (known === undefined || known.id === target.id) this.#targets.set(target.podUid, target);
  }

  append(fact: Fact, to: ByteBuilder): void {
    if (this.#plan.format === 'json') {
      to.text(escapeJson(factJson(fact, this.#time)));
      to.newline();
      return;
    }
    const message = this.#encoder.encode(factLine(fact));
    const run = this.#sourceOf(fact);
    const format = fact.precision === 's' ? this.#whole : this.#exact;
    const at = fact.until ?? fact.at;
    format.append({ run, at, seq: 0, message, partial: false, late: false }, to);
  }

  #sourceOf({ subject }: Fact): Run {
    const { kind, namespace, name, uid, container, run } = subject;
    const key = `${uid}/${container ?? ''}/${run ?? ''}`;
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const isPod = kind === 'Pod';
    const seen = this.#targets.get(uid);
    const target: ContainerTarget = {
      id: `${uid}/${container ?? ''}`,
      namespace: namespace || (seen?.namespace ?? ''),
      pod: isPod ? name : '',
      podUid: uid,
      container: container ?? seen?.container ?? '',
      kind: 'regular',
      placement: seen?.placement ?? (kind === 'Node' ? { node: name } : {}),
      state: { kind: 'waiting', reason: '', message: '' },
      restartCount: 0,
      lastContainerId: undefined,
      mayRestart: false,
      podPhase: '',
      deleting: false,
    };
    const source = makeRun(target, run ?? '');
    this.#sources.set(key, source);
    return source;
  }
}

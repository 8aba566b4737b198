import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Fact, FactSubject } from '../../domain/facts/fact.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { FoundObject, Resolve, SourcePlan } from '../../resolve/resolve.ts';
import { subjectOf } from '../facts-of-workload.ts';
import { type FactsFrame, readFacts } from '../read-facts.ts';
import type { Evidence } from './evidence.ts';
import { judge } from './judge.ts';
import { readPodNow } from './pod-now.ts';
import { type ReadLog, readLines } from './read-lines.ts';
import { wantedLines } from './wanted-lines.ts';

export interface ExplainContext {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly resolve: Resolve;
  readonly readLog: ReadLog;
}

export interface ExplainQuery {
  /** What was over before is left out. */
  readonly since: Timestamp;
  readonly now: Timestamp;
}

export interface Explained {
  readonly explanation: Explanation;
  /** What kept some facts from being read. */
  readonly notices: readonly Extract<FactsFrame, { readonly type: 'notice' }>[];
  /** Why the source leads to nothing. */
  readonly failures: readonly CodedError[];
}

/**
 * Why a source is as it is: its facts are read once, then the last lines of containers with a trouble, and the rules judge
 * them. Throws usage errors of the plan, and the signal's reason.
 */
export async function explainSource(
  context: ExplainContext,
  plan: SourcePlan,
  { since, now }: ExplainQuery,
): Promise<Explained> {
  const found = new Found(context.resolve);
  for await (const frame of readFacts({ ...context, resolve: found.resolve }, plan, { follow: false }))
    found.take(frame);
  context.signal.throwIfAborted();
  const evidence: Evidence = { ...found.evidence(), lines: new Map(), now };
  const { verdicts } = judge(evidence, since);
  const wanted = wantedLines(evidence, verdicts, found.targets);
  const lines = await readLines(wanted, context.readLog, context.signal);
  return {
    explanation: judge({ ...evidence, lines }, since),
    notices: found.notices,
    failures: found.failures,
  };
}

/** What a resolution and its facts leave behind. */
class Found {
  readonly #facts = new Map<string, Fact>();
  readonly #pods = new Map<string, KubeObject>();
  readonly #others = new Map<string, { readonly type: ResourceType; readonly object: KubeObject }>();
  readonly #targets = new Map<string, ContainerTarget>();
  readonly #unread = new Set<'events' | 'workloads' | 'nodes' | 'autoscalers'>();
  readonly notices: Extract<FactsFrame, { readonly type: 'notice' }>[] = [];
  readonly failures: CodedError[] = [];
  /** The resolution, whose objects and containers are kept. */
  readonly resolve: Resolve;

  constructor(resolve: Resolve) {
    const see = (found: FoundObject) => this.#see(found);
    const targets = this.#targets;
    this.resolve = async function* (client, plan, options) {
      const onObject = (found: FoundObject) => {
        see(found);
        options.onObject?.(found);
      };
      for await (const event of resolve(client, plan, { ...options, onObject })) {
        if (event.type === 'added' || event.type === 'changed') targets.set(event.target.id, event.target);
        yield event;
      }
    };
  }

  get targets(): readonly ContainerTarget[] {
    return [...this.#targets.values()];
  }

  take(frame: FactsFrame): void {
    if (frame.type === 'facts') for (const fact of frame.facts) this.#facts.set(fact.id, fact);
    if (frame.type === 'failed') this.failures.push(frame.error);
    if (frame.type !== 'notice') return;
    this.notices.push(frame);
    if (frame.code === 'facts-forbidden' || frame.code === 'facts-unreadable')
      this.#unread.add(frame.data.of);
  }

  evidence(): Pick<Evidence, 'facts' | 'pods' | 'unread' | 'subject'> {
    const pods = [...this.#pods.values()].map(readPodNow);
    return { facts: [...this.#facts.values()], pods, unread: this.#unread, subject: this.#subject() };
  }

  /** The workload, else the pod, if there is one alone. */
  #subject(): FactSubject | undefined {
    const [other, ...more] = this.#others.values();
    if (other !== undefined) return more.length === 0 ? subjectOf(other.type.kind, other.object) : undefined;
    const [pod, ...others] = this.#pods.values();
    return pod === undefined || others.length > 0 ? undefined : subjectOf('Pod', pod);
  }

  #see({ type, object, isGone }: FoundObject): void {
    const { uid } = object.metadata;
    const kept = type.plural === PODS.plural && type.group === PODS.group ? this.#pods : this.#others;
    if (isGone) kept.delete(uid);
    else if (kept === this.#pods) this.#pods.set(uid, object);
    else this.#others.set(uid, { type, object });
  }
}

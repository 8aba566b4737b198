import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { NodeColumn } from '../../domain/columns.ts';
import type { Placement } from '../../domain/container.ts';
import type { UnknownPlacements } from '../../domain/notice.ts';
import { nameList, resolveFailure } from '../../domain/resolve-failures.ts';
import type { ResolveContext } from '../context.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import { filtersOf } from './placement-filters.ts';

const MAX_NAMED = 3;

type UnknownGroups = Extract<UnknownPlacements, { readonly effect: 'unknown' }>['groups'];

interface Seen {
  readonly name: string;
  readonly placement: Placement;
  readonly isKept: boolean;
}

/**
 * Collects the pods of a source whose placement is unknown because nodes may not be read and the pod's own labels do
 * not show it.
 */
export class Unplaced {
  readonly #context: ResolveContext;
  #seen: Seen[] = [];
  #isReported = false;
  /** Pods by UID, because each is checked again at every change. */
  readonly #known = new Set<string>();

  constructor(context: ResolveContext) {
    this.#context = context;
  }

  /** Records a checked pod. `isKept`: it passes the filters. */
  note(pod: PodFacts, placement: Placement, isKept: boolean): void {
    if (this.#context.nodes.refusal === undefined || pod.node === undefined) return;
    if (this.#known.has(pod.uid)) return;
    this.#known.add(pod.uid);
    const seen = { name: `${pod.namespace}/${pod.name}`, placement, isKept };
    if (this.#isReported) this.#reportLater(seen);
    else this.#seen.push(seen);
  }

  /** Reports what was recorded. Throws if a filter cannot be applied to any pod. */
  report(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const seen = this.#seen;
    this.#seen = [];
    const cause = this.#refusal();
    if (cause === undefined) return;
    const fields = this.#filterFields();
    const left = seen.filter((pod) => lacks(pod, fields));
    if (left.length > 0 && left.length === seen.length) throw this.#filterError(fields);
    if (left.length > 0) {
      const data = { effect: 'left-out', fields, pods: namesOf(left), total: seen.length } as const;
      this.#context.notice({ code: 'nodes-forbidden', data }, { cause });
    }
    const kept = seen.filter(({ isKept }) => isKept);
    const groups = this.#columnGroups(kept);
    if (groups.length > 0)
      this.#context.notice({ code: 'nodes-forbidden', data: { effect: 'unknown', groups } }, { cause });
  }

  /** Reports once for all later pods: a rollout has many. */
  #reportLater(pod: Seen): void {
    const fields = this.#filterFields();
    const cause = this.#refusal();
    if (cause === undefined || !lacks(pod, fields)) return;
    const data = { effect: 'left-out-later', fields, pod: pod.name } as const;
    this.#context.notice({ code: 'nodes-forbidden', data }, { about: 'later-pods', cause });
  }

  /** Returns the unknown fields, with the pods that lack them. */
  #columnGroups(pods: readonly Seen[]): UnknownGroups {
    const byPods = new Map<string, { readonly fields: NodeColumn[]; readonly lacking: readonly Seen[] }>();
    for (const field of this.#context.plan.placement ?? []) {
      const lacking = pods.filter((pod) => lacks(pod, [field]));
      if (lacking.length === 0) continue;
      const key = lacking.map(({ name }) => name).join(' ');
      const same = byPods.get(key);
      if (same === undefined) byPods.set(key, { fields: [field], lacking });
      else same.fields.push(field);
    }
    return [...byPods.values()].map(({ fields, lacking }) => ({
      fields,
      pods: namesOf(lacking),
      total: pods.length,
    }));
  }

  /** Returns only region and zone: if another field is unknown, no pod is checked. */
  #filterFields(): readonly NodeColumn[] {
    return filtersOf(this.#context.plan).flatMap(({ name }) =>
      name === 'region' || name === 'zone' ? [name] : [],
    );
  }

  #refusal(): CodedError | undefined {
    const { refusal } = this.#context.nodes;
    return refusal && describeKubeError(refusal, this.#context.client.cluster);
  }

  #filterError(fields: readonly NodeColumn[]): CodedError {
    return nodesForbidden(this.#context, fields);
  }
}

/** Returns the error for filters that cannot be applied without permission to read nodes. */
export function nodesForbidden(context: ResolveContext, fields: readonly string[]): CodedError {
  const { refusal } = context.nodes;
  const { code, data } = describeKubeError(refusal, context.client.cluster);
  return resolveFailure('nodes-forbidden', { fields, refusal: { code, data } }, { cause: refusal });
}

const lacks = ({ placement }: Seen, fields: readonly NodeColumn[]) =>
  fields.some((field) => placement[field] === undefined);

const namesOf = (pods: readonly Seen[]) =>
  nameList(
    pods.map(({ name }) => name),
    MAX_NAMED,
  );

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
 * Pods of a source whose placement is unknown, because nodes may not be read and the pod's own labels do not
 * show it.
 */
export class Unplaced {
  readonly #context: ResolveContext;
  #seen: Seen[] = [];
  #isReported = false;
  /** Pods, by UID: each is checked again whenever something changes. */
  readonly #known = new Set<string>();

  constructor(context: ResolveContext) {
    this.#context = context;
  }

  /** Records a checked pod; `isKept`: it passes the filters. */
  note(pod: PodFacts, placement: Placement, isKept: boolean): void {
    if (this.#context.nodes.refusal === undefined || pod.node === undefined) return;
    if (this.#known.has(pod.uid)) return;
    this.#known.add(pod.uid);
    const seen = { name: `${pod.namespace}/${pod.name}`, placement, isKept };
    if (this.#isReported) this.#reportLater(seen);
    else this.#seen.push(seen);
  }

  /** Reports what was noted. Throws if a filter cannot be applied to a single pod. */
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

  /** Once for all that come later: a rollout has many pods. */
  #reportLater(pod: Seen): void {
    const fields = this.#filterFields();
    const cause = this.#refusal();
    if (cause === undefined || !lacks(pod, fields)) return;
    const data = { effect: 'left-out-later', fields, pod: pod.name } as const;
    this.#context.notice({ code: 'nodes-forbidden', data }, { about: 'later-pods', cause });
  }

  /** The fields that are unknown, with the pods that lack them. */
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

  /** Only region and zone: without the others no pod is checked. */
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

/** Filters that cannot be applied without the right to read nodes. */
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

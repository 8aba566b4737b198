import type { ContainerTarget } from '../../../domain/container.ts';

/** The hash of a ReplicaSet between the name of a workload and the end that differs between its pods. */
const POD_OF_REPLICA_SET = /^(.+)-[a-z0-9]{5,10}-([a-z0-9]{5})$/;

/** Short names of the containers in view, as soon as there are two: what distinguishes them stays whole. */
export class SpeakerNames {
  readonly #seen = new Map<string, ContainerTarget>();
  #names = new Map<string, string>();

  /** A container came into view. */
  see(target: ContainerTarget): void {
    const key = keyOf(target);
    if (this.#seen.has(key)) return;
    this.#seen.set(key, target);
    this.#names = namesOf([...this.#seen.values()]);
  }

  /** The name, as wide as the widest; undefined: there is only one container. */
  of(target: ContainerTarget): string | undefined {
    this.see(target);
    return this.#seen.size < 2 ? undefined : this.#names.get(keyOf(target));
  }
}

function namesOf(targets: readonly ContainerTarget[]): Map<string, string> {
  const isShared = (pick: (target: ContainerTarget) => string) => new Set(targets.map(pick)).size === 1;
  const oneNamespace = isShared(({ namespace }) => namespace);
  const oneEach = new Set(targets.map(podOf)).size === targets.length;
  const shorts = new Map(targets.map((target) => [podOf(target), shortOf(target.pod)]));
  const isClear = new Set(shorts.values()).size === new Set(targets.map(({ pod }) => pod)).size;
  const names = targets.map((target) => {
    const pod = isClear ? shortOf(target.pod) : target.pod;
    return `${oneNamespace ? '' : `${target.namespace}/`}${pod}${oneEach ? '' : `/${target.container}`}`;
  });
  const width = Math.max(...names.map(({ length }) => length));
  return new Map(targets.map((target, at) => [keyOf(target), (names[at] ?? '').padEnd(width)]));
}

function shortOf(pod: string): string {
  return pod.replace(POD_OF_REPLICA_SET, '$1-$2');
}

function podOf({ namespace, pod }: ContainerTarget): string {
  return `${namespace}/${pod}`;
}

function keyOf(target: ContainerTarget): string {
  return `${podOf(target)}/${target.container}`;
}

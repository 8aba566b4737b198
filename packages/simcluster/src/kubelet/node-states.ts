import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { NodeState } from './runtime.ts';

interface Node {
  kubelet: 'up' | 'down';
  runtime: 'up' | 'down';
  /** Clock times (ms) until which they count as just started. */
  startingUntilMs: number;
  settlingUntilMs: number;
  zoneMinutes: number;
  servesLogFiles: boolean;
  readonly onKubeletStop: Set<() => void>;
  readonly onRuntimeStart: Set<() => void>;
}

/** Kubelet, runtime and time zone of every node; an unknown node is up and in UTC. */
export class NodeStates {
  readonly #nodes = new Map<string, Node>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  state(name: string): NodeState {
    const node = this.#node(name);
    const now = this.#clock.now();
    return {
      kubelet: node.kubelet === 'up' && now < node.startingUntilMs ? 'starting' : node.kubelet,
      runtime: node.runtime === 'up' && now < node.settlingUntilMs ? 'settling' : node.runtime,
      zoneMinutes: node.zoneMinutes,
    };
  }

  zoneMinutes(name: string): number {
    return this.#node(name).zoneMinutes;
  }

  /** Sets the zone in minutes east of UTC. Throws a RangeError for a day or more. */
  setTimeZone(name: string, zoneMinutes: number): void {
    if (!Number.isInteger(zoneMinutes) || Math.abs(zoneMinutes) >= 24 * 60) {
      throw new RangeError(`not an offset from UTC in minutes: ${zoneMinutes}`);
    }
    this.#node(name).zoneMinutes = zoneMinutes;
  }

  servesLogFiles(name: string): boolean {
    return this.#node(name).servesLogFiles;
  }

  disableLogHandler(name: string): void {
    this.#node(name).servesLogFiles = false;
  }

  kubeletDown(name: string): void {
    const node = this.#node(name);
    node.kubelet = 'down';
    callAll(node.onKubeletStop);
  }

  kubeletUp(name: string, startingMs: number): void {
    const node = this.#node(name);
    if (node.kubelet === 'up') return;
    node.kubelet = 'up';
    node.startingUntilMs = this.#clock.now() + startingMs;
  }

  isRuntimeDown(name: string): boolean {
    return this.#node(name).runtime === 'down';
  }

  runtimeDown(name: string): void {
    this.#node(name).runtime = 'down';
  }

  runtimeUp(name: string, settlingMs: number): void {
    const node = this.#node(name);
    if (node.runtime === 'up') return;
    node.runtime = 'up';
    node.settlingUntilMs = this.#clock.now() + settlingMs;
    callAll(node.onRuntimeStart);
  }

  /** Calls back when the node's kubelet stops; returns a function that cancels this. */
  onKubeletStop(name: string, callback: () => void): () => void {
    const callbacks = this.#node(name).onKubeletStop;
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  }

  onRuntimeStart(name: string, callback: () => void): () => void {
    const callbacks = this.#node(name).onRuntimeStart;
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  }

  #node(name: string): Node {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node: Node = {
      kubelet: 'up',
      runtime: 'up',
      startingUntilMs: 0,
      settlingUntilMs: 0,
      zoneMinutes: 0,
      servesLogFiles: true,
      onKubeletStop: new Set(),
      onRuntimeStart: new Set(),
    };
    this.#nodes.set(name, node);
    return node;
  }
}

function callAll(callbacks: ReadonlySet<() => void>): void {
  for (const callback of [...callbacks]) callback();
}

import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { keepTrying } from '../keep-trying.ts';

/** Where the agent of a node answers. */
export interface AgentAddress {
  readonly node: string;
  readonly host: string;
  readonly port: number;
}

export interface AgentsOptions {
  readonly client: Pick<KubeClient, 'reflect'>;
  readonly clock: Clock;
  /** The namespace of the agents' pods, and the labels by which they are recognized. */
  readonly namespace: string;
  readonly labelSelector: string;
  /** Called when the agents cannot be listed; it is tried again. */
  readonly onUnknown: (error: unknown) => void;
}

/** The fields of an agent's pod that are used here. */
interface AgentPod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status?: { readonly podIP?: string; readonly phase?: string };
}

const PORT_NAME = 'agent';
const DEFAULT_PORT = 7501;

/** The agents of the cluster, kept up to date by their pods. */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #pods = new Map<string, AgentPod>();
  readonly #listeners = new Set<() => void>();
  readonly #known = promiseAndResolve();

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  /** Follows the pods until the signal aborts; whatever fails is reported and tried again. */
  follow(signal: AbortSignal): Promise<void> {
    const { clock, onUnknown: onFailure } = this.#options;
    return keepTrying(() => this.#followOnce(signal), { clock, signal, onFailure });
  }

  /** Resolves when the agents have been listed for the first time. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  /** Returns the agent of a node; undefined if none runs there. */
  of(node: string): AgentAddress | undefined {
    return this.all().find((agent) => agent.node === node);
  }

  /** Returns all agents, one a node: the newest, and one that ends only if there is no other. */
  all(): readonly AgentAddress[] {
    const byNode = new Map<string, AgentPod>();
    for (const pod of this.#pods.values()) {
      const address = addressOf(pod);
      if (address === undefined) continue;
      const other = byNode.get(address.node);
      if (other === undefined || isBetter(pod, other)) byNode.set(address.node, pod);
    }
    return [...byNode.values()].flatMap((pod) => addressOf(pod) ?? []);
  }

  /** Calls back when the agents have changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #followOnce(signal: AbortSignal): Promise<void> {
    const { client, namespace, labelSelector } = this.#options;
    const events = client.reflect<AgentPod>(PODS, { namespace, labelSelector }, { signal });
    for await (const event of events) {
      if (event.type === 'snapshot') {
        this.#pods.clear();
        for (const pod of event.objects) this.#pods.set(pod.metadata.uid, pod);
        this.#known.resolve();
      } else if (event.type === 'changed') this.#pods.set(event.object.metadata.uid, event.object);
      else if (event.type === 'deleted') this.#pods.delete(event.object.metadata.uid);
      else event.type satisfies 'state';
      for (const listener of this.#listeners) listener();
    }
  }
}

function promiseAndResolve() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function isBetter(pod: AgentPod, other: AgentPod): boolean {
  const [ends, otherEnds] = [pod, other].map(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (ends !== otherEnds) return otherEnds === true;
  return (pod.metadata.creationTimestamp ?? '') > (other.metadata.creationTimestamp ?? '');
}

/** Undefined: it does not run yet, or no more. */
function addressOf({ spec, status }: AgentPod): AgentAddress | undefined {
  const node = spec?.nodeName;
  const host = status?.podIP;
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (node === undefined || host === undefined || host === '' || isOver) return undefined;
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const port = ports.find(({ name }) => name === PORT_NAME)?.containerPort ?? DEFAULT_PORT;
  return { node, host, port };
}

import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { CollectionQuery, KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { makeGlob } from '../../domain/glob.ts';
import type { SourceSpec } from '../../domain/source-syntax.ts';
import { findKind, kindsText } from '../../resolve/sources/find-kind.ts';
import type { CliContext } from '../context.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';
import type { Candidate } from './candidate.ts';
import type { KeptAnswers } from './kept-answers.ts';

/** More than a user reads; typing more letters requests fewer. */
const MAX_OBJECTS = 10_000;

/** The environment of `LiveCluster`. */
export interface LiveOptions {
  readonly context: CliContext;
  readonly plan: ConnectionPlan;
  readonly kept: KeptAnswers;
  /** Aborts when time is up; an answer then holds what arrived by then. */
  readonly signal: AbortSignal;
  /** Receives the reason why an answer is incomplete. */
  readonly onFailure: (error: unknown) => void;
}

/** The cluster that the command line under completion names. Never prompts the user. */
export class LiveCluster {
  readonly client: KubeClient;
  readonly #options: LiveOptions;

  private constructor(client: KubeClient, options: LiveOptions) {
    this.client = client;
    this.#options = options;
  }

  /**
   * Reads the kubeconfig and makes no request; the signal closes the connection. Throws what openConnection
   * throws.
   */
  static async open(options: LiveOptions): Promise<LiveCluster> {
    const { context, plan } = options;
    const connection = await openConnection({
      ...plan,
      env: context.env,
      homeDirectory: context.homeDirectory,
      clock: context.clock,
      interactive: false,
    });
    const userAgent = `logtool/${context.version}`;
    const client = createKubeClient(connection, { clock: context.clock, userAgent });
    options.signal.addEventListener('abort', () => client.close(), { once: true });
    return new LiveCluster(client, options);
  }

  /** Lists one candidate for each object, as far as objects arrive in time. */
  list(
    type: ResourceType,
    query: CollectionQuery,
    read: (object: KubeObject) => readonly Candidate[],
    what = '',
  ): Promise<readonly Candidate[]> {
    const question = [type.group, type.plural, query.namespace ?? '', query.labelSelector ?? '', what];
    return this.#kept(question, async (add) => {
      const { signal } = this.#options;
      let count = 0;
      for await (const { items } of this.client.list(type, { ...query, metadataOnly: true }, { signal })) {
        for (const item of items) add(read(item));
        count += items.length;
        if (count >= MAX_OBJECTS) return;
      }
    });
  }

  /** Lists the names of the containers of a pod, or of the pods of a workload. */
  containers(type: ResourceType, namespace: string, name: string): Promise<readonly Candidate[]> {
    return this.#kept([type.group, type.plural, namespace, name, 'containers'], async (add) => {
      const { signal } = this.#options;
      const object = await this.client.get(type, { namespace, name }, { signal });
      add(containersOf(object));
      const labelSelector = selectorOf(object);
      if (labelSelector === undefined) return;
      // A service selects pods, but does not list their containers.
      for await (const { items } of this.client.list(PODS, { namespace, labelSelector }, { signal }))
        add(items.flatMap(containersOf));
    });
  }

  /** Lists the names of the containers of all pods in a namespace, or in all namespaces. */
  containersIn(namespace: string | undefined): Promise<readonly Candidate[]> {
    return this.#kept(['pods', namespace ?? '', 'all containers'], async (add) => {
      const { signal } = this.#options;
      let count = 0;
      for await (const { items } of this.client.list(PODS, { namespace }, { signal })) {
        add(items.flatMap(containersOf));
        count += items.length;
        if (count >= MAX_OBJECTS) return;
      }
    });
  }

  /** Lists the kinds that this cluster has in addition to the built-in ones: they may own pods, too. */
  ownKinds(): Promise<readonly Candidate[]> {
    return this.#kept(['kinds'], async (add) => {
      const types = await this.client.discover({ signal: this.#options.signal });
      const own = types.filter(
        ({ group, namespaced, verbs }) =>
          namespaced && verbs.includes('get') && group.includes('.') && !group.endsWith('.k8s.io'),
      );
      add(own.map((type) => ({ value: `${kindsText(type)}/`, meaning: type.kind })));
    });
  }

  /** Finds the kind that a source argument names; undefined if the cluster has none. */
  async kind(spec: Pick<SourceSpec, 'kind'>): Promise<ResourceType | undefined> {
    try {
      const whole = { argument: '', name: makeGlob('*'), ...spec };
      return await findKind(this.client, whole, this.#options.signal);
    } catch (error) {
      this.#options.onFailure(error);
      return undefined;
    }
  }

  async #kept(
    question: readonly string[],
    ask: (add: (more: readonly Candidate[]) => void) => Promise<void>,
  ): Promise<readonly Candidate[]> {
    const { context, server, user } = this.client.cluster;
    const { impersonate, bearer } = this.#options.plan;
    const as = impersonate === undefined ? [] : [JSON.stringify(impersonate)];
    const whole = [context, server, user, ...as, ...question];
    // The owner of a token is unknown, so answers to it are not kept.
    const known = bearer === undefined ? this.#options.kept.read(whole) : undefined;
    if (known !== undefined) return known;
    const found = new Map<string, Candidate>();
    const add = (more: readonly Candidate[]) => {
      for (const each of more) if (!found.has(each.value)) found.set(each.value, each);
    };
    try {
      await ask(add);
      if (bearer === undefined) this.#options.kept.write(whole, [...found.values()]);
    } catch (error) {
      this.#options.onFailure(error);
    }
    return [...found.values()];
  }
}

/**
 * Lists the containers of a pod, or those of a workload's template (for a CronJob, of its jobs' template).
 */
function containersOf(object: KubeObject): readonly Candidate[] {
  const spec = at(object, 'spec');
  const template = at(at(spec, 'jobTemplate'), 'spec') ?? spec;
  const pod = at(at(template, 'template'), 'spec') ?? spec;
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) => {
    const items = at(pod, list);
    if (!Array.isArray(items)) return [];
    return items.flatMap((item: unknown) => {
      const name = at(item, 'name');
      const image = at(item, 'image');
      if (typeof name !== 'string') return [];
      return [{ value: name, meaning: typeof image === 'string' ? image : undefined }];
    });
  });
}

/**
 * Returns the label selector of a service's pods (API reference: ServiceSpec.selector); workloads write
 * theirs differently.
 */
function selectorOf({ kind, spec }: KubeObject & { readonly spec?: unknown }): string | undefined {
  const selector = at(spec, 'selector');
  if (kind !== 'Service' || typeof selector !== 'object' || selector === null) return undefined;
  const labels = Object.entries(selector).map(([label, value]) => `${label}=${value}`);
  return labels.length === 0 ? undefined : labels.join(',');
}

function at(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
  return (value as Record<string, unknown>)[field];
}

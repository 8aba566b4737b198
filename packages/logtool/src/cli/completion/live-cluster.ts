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

/** More than a user reads; the next typed letters request fewer. */
const MAX_OBJECTS = 10_000;

/** The surroundings of `LiveCluster`. */
export interface LiveOptions {
  readonly context: CliContext;
  readonly plan: ConnectionPlan;
  readonly kept: KeptAnswers;
  /** Aborted when the time is up: answers then are what had come until then. */
  readonly signal: AbortSignal;
  /** Receives the reason why an answer is incomplete. */
  readonly onFailure: (error: unknown) => void;
}

/** The cluster of a command line that is being completed. It never prompts the user. */
export class LiveCluster {
  readonly client: KubeClient;
  readonly #options: LiveOptions;

  private constructor(client: KubeClient, options: LiveOptions) {
    this.client = client;
    this.#options = options;
  }

  /** Reads the kubeconfig and makes no request; the signal closes the connection. Throws as openConnection. */
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

  /** One candidate for each object, as far as objects come in time. */
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

  /** Names of the containers of a pod, or of the pods that a workload makes. */
  containers(type: ResourceType, namespace: string, name: string): Promise<readonly Candidate[]> {
    return this.#kept([type.group, type.plural, namespace, name, 'containers'], async (add) => {
      const { signal } = this.#options;
      const object = await this.client.get(type, { namespace, name }, { signal });
      add(containersOf(object));
      const labelSelector = selectorOf(object);
      if (labelSelector === undefined) return;
      // A service says which pods are its own, and not what is in them.
      for await (const { items } of this.client.list(PODS, { namespace, labelSelector }, { signal }))
        add(items.flatMap(containersOf));
    });
  }

  /** Names of the containers of all pods of a namespace, or of all. */
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

  /** Kinds that this cluster has beside those of every cluster: they may own pods, too. */
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

  /** The kind that a source argument names; undefined if the cluster has none. */
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
    // Whose a token is, is not known: answers for it are kept for nobody.
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

/** Of a pod its own, of a workload those of its template (of a CronJob that of its jobs). */
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

/** Labels of the pods of a service (API reference: ServiceSpec.selector); those of workloads are written otherwise. */
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

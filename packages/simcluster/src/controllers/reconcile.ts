import { sameJson } from '../json-value.ts';
import type { StoredObject, StoreEvent } from '../store/store.ts';
import type { Cluster } from './cluster.ts';
import { ownedByController } from './controller-owner.ts';
import { controllerOf, timeText } from './objects.ts';
import { selects } from './selects.ts';

export interface Reconciling {
  readonly resource: string;
  readonly kind: string;
  /** The resources of the objects that it controls. */
  readonly children: readonly string[];
  /** Whether it adopts objects without a controller that match its selector: see claim.ts. */
  readonly claims?: boolean;
}

/**
 * Runs `act` on an object whenever it, or an object that it controls or could claim, changes; once for many changes.
 * `mayClaim` is false if no owner and no label changed meanwhile, so there is nothing to adopt or release.
 */
export function reconcileOn(
  cluster: Cluster,
  options: Reconciling,
  act: (object: StoredObject, mayClaim: boolean) => void,
): void {
  new Reconciler(cluster, options, act).start();
}

class Reconciler {
  readonly #cluster: Cluster;
  readonly #options: Reconciling;
  readonly #act: (object: StoredObject, mayClaim: boolean) => void;
  readonly #toClaim = new Set<string>();

  constructor(
    cluster: Cluster,
    options: Reconciling,
    act: (object: StoredObject, mayClaim: boolean) => void,
  ) {
    this.#cluster = cluster;
    this.#options = options;
    this.#act = act;
  }

  start(): void {
    const { store } = this.#cluster;
    const { resource, children } = this.#options;
    store.subscribe(resource, ({ type, object, before }) => {
      const { namespace, name } = object.metadata;
      if (type !== 'DELETED') this.#enqueue(namespace, name, before?.spec !== object.spec);
    });
    for (const child of children) store.subscribe(child, (event) => this.#onChild(event));
  }

  #enqueue(namespace: string | undefined, name: string, mayClaim: boolean): void {
    const { store, queue } = this.#cluster;
    const { resource, claims = false } = this.#options;
    const key = `${resource}/${namespace ?? ''}/${name}`;
    if (claims && mayClaim) this.#toClaim.add(key);
    queue.add(key, () => {
      const object = store.get(resource, namespace, name);
      const claimsNow = this.#toClaim.delete(key);
      if (object !== undefined && object.metadata.deletionTimestamp === undefined)
        this.#act(object, claimsNow);
    });
  }

  #onChild({ type, object, before }: StoreEvent): void {
    const { ownerReferences, labels } = object.metadata;
    const changedOwner = before !== undefined && before.metadata.ownerReferences !== ownerReferences;
    const mayClaim = changedOwner || before?.metadata.labels !== labels;
    if (changedOwner) this.#enqueueController(before, true);
    const isControlled = this.#enqueueController(object, mayClaim);
    if (!isControlled && mayClaim && type !== 'DELETED') this.#enqueueClaimants(object);
  }

  /** Returns true if the child has a controller of any kind. */
  #enqueueController(child: StoredObject, mayClaim: boolean): boolean {
    const owner = controllerOf(child);
    if (owner?.kind === this.#options.kind) this.#enqueue(child.metadata.namespace, owner.name, mayClaim);
    return owner !== undefined;
  }

  #enqueueClaimants(child: StoredObject): void {
    const { resource, claims = false } = this.#options;
    if (!claims) return;
    const { namespace } = child.metadata;
    for (const workload of this.#cluster.store.list(resource, namespace)) {
      if (selects(workload, child)) this.#enqueue(namespace, workload.metadata.name, true);
    }
  }
}

/** Writes a status if it differs. */
export function writeStatus(
  cluster: Cluster,
  resource: string,
  object: StoredObject,
  status: Record<string, unknown>,
): void {
  if (sameJson(object.status, status)) return;
  const current = cluster.store.get(resource, object.metadata.namespace, object.metadata.name);
  if (current === undefined) return;
  const time = timeText(cluster.clock.now());
  const metadata = ownedByController(current, { ...current, status }, time);
  cluster.store.replace(resource, current, { status, metadata });
}

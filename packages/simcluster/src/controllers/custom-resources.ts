import type { Cluster } from './cluster.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Deletes the objects of a custom resource with its definition: no request could reach them any more. */
export function startCustomResources(cluster: Cluster): void {
  const { store, queue } = cluster;
  store.subscribe(DEFINITIONS, ({ type, object }) => {
    if (type !== 'DELETED') return;
    // A definition's name is the store's name of its resource.
    const { name } = object.metadata;
    queue.add(`custom/${name}`, () => {
      if (store.get(DEFINITIONS, undefined, name) !== undefined) return;
      for (const { metadata } of store.list(name)) store.remove(name, metadata.namespace, metadata.name);
    });
  });
}

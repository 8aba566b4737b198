import type { Cluster } from '../cluster.ts';
import { createObject } from '../cluster.ts';

const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Keeps a service account in every namespace, for pods that name none; recreates it after deletion. */
export function startDefaultAccounts(cluster: Cluster): void {
  keepInNamespaces(cluster, 'serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount' }, 'default');
}

/** Keeps the certificate of the API server's authority in every namespace, for its pods. */
export function startRootCertificates(cluster: Cluster, certificate: string): void {
  keepInNamespaces(
    cluster,
    'configmaps',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { 'ca.crt': certificate },
    },
    'kube-root-ca.crt',
    { 'kubernetes.io/description': DESCRIPTION },
  );
}

function keepInNamespaces(
  cluster: Cluster,
  resource: string,
  object: Readonly<Record<string, unknown>>,
  name: string,
  annotations?: Readonly<Record<string, string>>,
): void {
  const { store, queue } = cluster;
  const keepIn = (namespace: string) =>
    queue.add(`keep/${resource}/${namespace}/${name}`, () => {
      const namespaceObject = store.get('namespaces', undefined, namespace);
      if (namespaceObject === undefined || namespaceObject.metadata.deletionTimestamp !== undefined) return;
      const metadata = { name, namespace, ...(annotations === undefined ? {} : { annotations }) };
      createObject(cluster, resource, { ...object, metadata });
    });
  store.subscribe('namespaces', ({ type, object: { metadata } }) => {
    if (type === 'ADDED') keepIn(metadata.name);
  });
  store.subscribe(resource, ({ type, object: { metadata } }) => {
    if (type === 'DELETED' && metadata.name === name) keepIn(metadata.namespace ?? '');
  });
  for (const { metadata } of store.list('namespaces')) keepIn(metadata.name);
}

import { createAuthority, type Identity } from '../../access/tls.ts';
import type { Store } from '../../store/store.ts';

/** The party as which the API server asks extension API servers, and the authority that vouches for it. */
export interface FrontProxy {
  /** PEM of the authority that signs only client certificates of API servers. */
  readonly caCertificate: string;
  readonly identity: Identity;
}

const NAME = 'extension-apiserver-authentication';
const ROLE = 'extension-apiserver-authentication-reader';
const RBAC = 'rbac.authorization.k8s.io';
const COMMON_NAME = 'front-proxy-client';

export async function createFrontProxy(): Promise<FrontProxy> {
  const authority = await createAuthority('front-proxy-ca');
  return {
    caCertificate: authority.certificate,
    identity: await authority.issueClient(COMMON_NAME, []),
  };
}

/**
 * Publishes what an extension API server needs to recognize the API server, and the role to read it
 * (kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer).
 */
export function publishFrontProxy(store: Store, clientCa: string, { caCertificate }: FrontProxy): void {
  const namespace = 'kube-system';
  if (store.get('configmaps', namespace, NAME) === undefined) {
    store.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME, namespace },
      data: {
        'client-ca-file': clientCa,
        'requestheader-allowed-names': JSON.stringify([COMMON_NAME]),
        'requestheader-client-ca-file': caCertificate,
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-username-headers': '["X-Remote-User"]',
      },
    });
  }
  if (store.get(`roles.${RBAC}`, namespace, ROLE) !== undefined) return;
  store.create(`roles.${RBAC}`, {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: {
      name: ROLE,
      namespace,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'], resourceNames: [NAME] },
    ],
  });
}

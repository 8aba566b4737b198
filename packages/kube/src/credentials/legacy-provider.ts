import { LogtoolError } from '../values/errors.ts';

/** Successors of the providers that kubectl removed in 1.26 (client-go/plugin/pkg/client/auth). */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['gcp', 'install gke-gcloud-auth-plugin, then run `gcloud container clusters get-credentials`'],
  [
    'azure',
    'install kubelogin (https://github.com/Azure/kubelogin), then run `kubelogin convert-kubeconfig`',
  ],
]);

/** The user has an auth-provider other than oidc: Kubernetes has none any more. */
export function legacyProviderError(name: string): LogtoolError {
  const next = SUCCESSORS.get(name) ?? 'use an exec plugin, a token or a client certificate';
  return new LogtoolError({
    code: 'auth-provider-removed',
    what: `the kubeconfig's auth-provider ${name || '(without a name)'} is not supported`,
    why: SUCCESSORS.has(name)
      ? `the ${name} auth-provider was removed from Kubernetes clients in version 1.26`
      : 'the only auth-provider that Kubernetes clients still have is oidc',
    next,
  });
}

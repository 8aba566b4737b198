import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';

/** The user has an auth-provider other than oidc: Kubernetes has none any more. */
export function legacyProviderError(provider: string): CodedError {
  return kubeFailure('auth-provider-removed', { provider });
}

import { helmFailure } from '../failures.ts';
import type { ReleaseStorage } from './storage.ts';

/**
 * The driver that HELM_DRIVER names, as Helm reads it (https://helm.sh/docs/helm/helm/): empty means secret.
 * @throws CodedError `helm-driver` for one that Helm knows and this package does not, or that nobody knows.
 */
export function driverFrom(name: string | undefined): ReleaseStorage['driver'] {
  switch (name ?? '') {
    case '':
    case 'secret':
    case 'secrets':
      return 'secret';
    case 'configmap':
    case 'configmaps':
      return 'configmap';
    default:
      throw helmFailure('helm-driver', { name: name ?? '' }, { exit: 'usage' });
  }
}

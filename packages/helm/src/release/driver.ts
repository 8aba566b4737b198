import { helmFailure } from '../failures.ts';
import type { ReleaseStorage } from './storage.ts';

/**
 * Returns the driver that HELM_DRIVER names, read as in Helm (https://helm.sh/docs/helm/helm/): empty means secret.
 * @throws CodedError `helm-driver` for an unknown one, or one that only Helm supports.
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

import { usageError } from '@logtool/kube/src/values/errors.ts';
import type { ReleaseStorage } from './storage.ts';

/**
 * The driver that HELM_DRIVER names, as Helm reads it (https://helm.sh/docs/helm/helm/): empty means secret.
 * @throws LogtoolError `helm-driver` for one that Helm knows and logtool does not, or that nobody knows.
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
      throw usageError({
        code: 'helm-driver',
        what: `HELM_DRIVER is ${JSON.stringify(name)}, which logtool cannot use`,
        why: 'logtool keeps releases in the cluster, in Secrets or ConfigMaps',
        next: 'unset HELM_DRIVER, or set it to secret or configmap',
      });
  }
}

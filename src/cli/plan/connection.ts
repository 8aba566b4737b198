import { usageError } from '../../domain/errors.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { Settings } from './settings.ts';
import { readBoolean, readText } from './values.ts';

/** Which cluster is reached, and by what. */
export interface ConnectionPlan {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly inCluster: boolean;
}

export function planConnection(
  settings: Settings,
  places: Pick<CliContext, 'homeDirectory' | 'workingDirectory'>,
): ConnectionPlan {
  const inCluster = readBoolean(settings, 'in-cluster');
  const other = settings.given('kubeconfig') ?? settings.given('kube-context');
  if (inCluster && settings.given('in-cluster') !== undefined && other !== undefined) {
    throw usageError({
      code: 'in-cluster-with-kubeconfig',
      what: `--in-cluster and ${other.written} exclude each other`,
      why: '--in-cluster uses the service account of the pod, not a kubeconfig',
      next: 'leave one of them out',
    });
  }
  const kubeconfig = readText(settings, 'kubeconfig', 'FILE');
  return {
    kubeconfig: kubeconfig === undefined ? undefined : expandPath(kubeconfig, places),
    context: readText(settings, 'kube-context', 'NAME'),
    inCluster,
  };
}

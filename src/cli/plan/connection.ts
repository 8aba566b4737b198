import { usageError } from '../../domain/errors.ts';
import { quoteWord } from '../../kube/failure/subject-text.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { FlagUse } from '../flags/flag.ts';
import type { Settings } from './settings.ts';
import { readBoolean, readText } from './values.ts';

/** Which cluster is reached, and by what. */
export interface ConnectionPlan {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly inCluster: boolean;
  /** What was given on the command line, to be repeated by commands in messages: ` --kube-context prod`. */
  readonly flags: string;
}

export function planConnection(
  settings: Settings,
  places: Pick<CliContext, 'homeDirectory' | 'workingDirectory'>,
): ConnectionPlan {
  const other = givenText(settings, 'kubeconfig') ?? givenText(settings, 'kube-context');
  // A variable that asks for the service account gives way to a flag that names a cluster.
  const inCluster =
    readBoolean(settings, 'in-cluster') &&
    (settings.given('in-cluster') !== undefined || other === undefined);
  if (inCluster && other !== undefined) {
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
    context: settings.first('kube-context')?.value || undefined,
    inCluster,
    flags: flagsText(settings),
  };
}

function flagsText(settings: Settings): string {
  const values = ['config', 'kubeconfig', 'kube-context'].map((name) => {
    const value = givenText(settings, name)?.value;
    return value === undefined ? '' : ` --${name} ${quoteWord(value)}`;
  });
  const own = settings.given('in-cluster');
  return values.join('') + (own === undefined || own.value === 'false' ? '' : ' --in-cluster');
}

function givenText(settings: Settings, name: string): FlagUse | undefined {
  const use = settings.given(name);
  return use?.value === '' ? undefined : use;
}

import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure, type NameList } from '../values/failures.ts';
import { nearNames } from '../values/near-names.ts';
import { textField } from './fields.ts';
import { withFile } from './invalid-field.ts';
import type { Kubeconfig, Selected } from './kubeconfig.ts';

/** How many names a message lists; it only counts the rest. */
const SHOWN_NAMES = 20;
/** Only names up to this length are compared for suggestions. */
const MAX_NEAR_LENGTH = 256;

/**
 * Returns context, cluster and user of the requested context, else of current-context. Throws CodedError
 * `unknown-context`, `no-current-context`, `missing-cluster`, `missing-user`, `kubeconfig-invalid`.
 */
export async function selectContext(config: Kubeconfig, asked: string | undefined): Promise<Selected> {
  const name = asked || config.currentContext;
  const context = config.contexts.get(name);
  if (name === '') throw noCurrentContext(config);
  if (context === undefined) throw unknownContext(config, name, !asked);
  return withFile(context, () => {
    const clusterName = textField(context.fields, 'cluster');
    const userName = textField(context.fields, 'user');
    const cluster = config.clusters.get(clusterName);
    if (cluster === undefined) throw missing('cluster', clusterName, name, context.file, config.clusters);
    const user = config.users.get(userName);
    if (user === undefined && userName !== '')
      throw missing('user', userName, name, context.file, config.users);
    const namespace = textField(context.fields, 'namespace') || 'default';
    return { context: name, namespace, cluster, userName, user };
  });
}

function unknownContext(config: Kubeconfig, context: string, isCurrent: boolean): CodedError {
  // Hostile files may hold very long names, which no user typed by mistake.
  const names = [...config.contexts.keys()].filter((other) => other.length <= MAX_NEAR_LENGTH);
  const [near] = context.length <= MAX_NEAR_LENGTH ? nearNames(context, names, 1) : [];
  const contexts = nameList(config.contexts);
  return kubeFailure(
    'unknown-context',
    { context, files: config.files, isCurrent, contexts, near },
    { exit: 'usage' },
  );
}

function noCurrentContext({ files, contexts }: Kubeconfig): CodedError {
  return kubeFailure('no-current-context', { files, contexts: nameList(contexts) }, { exit: 'usage' });
}

function missing(
  kind: 'cluster' | 'user',
  name: string,
  context: string,
  file: string,
  all: ReadonlyMap<string, unknown>,
): CodedError {
  return kubeFailure(`missing-${kind}`, { context, name, file, existing: nameList(all) });
}

function nameList(all: ReadonlyMap<string, unknown>): NameList {
  return { names: [...all.keys()].slice(0, SHOWN_NAMES), more: Math.max(0, all.size - SHOWN_NAMES) };
}

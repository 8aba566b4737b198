import { LogtoolError, usageError } from '../values/errors.ts';
import { nearNames } from '../values/near-names.ts';
import { textField } from './fields.ts';
import { withFile } from './invalid-field.ts';
import type { Kubeconfig, Selected } from './kubeconfig.ts';

/** Names shown in a message before the rest is only counted. */
const SHOWN_NAMES = 20;
/** Letters of a name that a suggestion is looked for. */
const LONGEST_NEAR = 256;

/**
 * Context, cluster and user: of the context asked for, else of current-context. Throws LogtoolError
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

function unknownContext(config: Kubeconfig, name: string, isCurrent: boolean): LogtoolError {
  // Hostile files may hold very long names; nobody means one of those.
  const names = [...config.contexts.keys()].filter((other) => other.length <= LONGEST_NEAR);
  const [near] = name.length <= LONGEST_NEAR ? nearNames(name, names, 1) : [];
  return usageError({
    code: 'unknown-context',
    what: `no context ${name} in ${config.files.join(', ')}`,
    why: `${isCurrent ? 'current-context names it, but ' : ''}${existing('contexts', config.contexts)}`,
    next:
      near === undefined ? 'choose one of them with --kube-context' : `did you mean --kube-context ${near}?`,
    nextOnPage: near === undefined ? 'choose one of them' : `did you mean ${near}?`,
  });
}

function noCurrentContext(config: Kubeconfig): LogtoolError {
  return usageError({
    code: 'no-current-context',
    what: `no context was chosen, and ${config.files.join(', ')} has no current-context`,
    why: existing('contexts', config.contexts),
    next: 'choose one with --kube-context, or for good with `kubectl config use-context NAME`',
  });
}

function missing(
  kind: 'cluster' | 'user',
  name: string,
  context: string,
  file: string,
  all: ReadonlyMap<string, unknown>,
): LogtoolError {
  const named = name === '' ? `names no ${kind}` : `names the ${kind} ${name}, which does not exist`;
  return new LogtoolError({
    code: `missing-${kind}`,
    what: `context ${context} ${named}`,
    why: existing(`${kind}s`, all),
    next: `correct the context in ${file}, or choose another with --kube-context`,
    nextOnPage: `correct the context in ${file}, or choose another`,
  });
}

function existing(kind: string, all: ReadonlyMap<string, unknown>): string {
  const names = [...all.keys()];
  if (names.length === 0) return `there are no ${kind}`;
  const rest = names.length - SHOWN_NAMES;
  return `the ${kind} are ${names.slice(0, SHOWN_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

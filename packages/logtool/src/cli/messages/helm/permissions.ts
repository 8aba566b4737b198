import type { HelmFailures, MissingRight, RightRef } from '@logtool/helm/src/failures.ts';
import { whyText } from '../../../messages/problems.ts';
import type { ComposedMessages } from '../message.ts';

type Codes = Pick<HelmFailures, 'rights-missing' | 'rights-unknown' | 'pod-security'>;

export const PERMISSION_MESSAGES: ComposedMessages<Codes> = {
  'rights-missing': ({ user, missing }) => {
    const lines = missingLines(missing);
    const one = lines.length === 1;
    const [first] = missing;
    return {
      what: `${user || 'this user'} lacks ${one ? 'a permission' : `${lines.length} permissions`}; logtool changed nothing`,
      why: lines.join('\n'),
      next: `ask for ${one ? 'it' : 'them'}; to check: ${first === undefined ? '' : canI(first)}; --skip-preflight skips the check`,
    };
  },
  'pod-security': ({ namespace, level, objects }) => ({
    what: `the namespace ${namespace} does not admit the pods of ${objects.join(', ')}; logtool changed nothing`,
    why: `they mount a folder of their node (hostPath), and the namespace enforces the Pod Security level ${level}`,
    next: `choose another namespace with -n, or admit them: kubectl label namespace ${namespace} pod-security.kubernetes.io/enforce=privileged --overwrite; --skip-preflight skips the check`,
  }),
  'rights-unknown': ({ user, why }) => ({
    what: `${user || 'this user'} cannot ask the cluster which permissions it has; logtool changed nothing`,
    why: whyText(why),
    next: 'skip the check with --skip-preflight, or ask for the ClusterRole system:basic-user, which everyone normally has',
  }),
};

/** Formats one line for each verb and kind, with names only if some permissions apply to single objects. */
function missingLines(missing: readonly MissingRight[]): readonly string[] {
  const lines = new Map<string, Set<string>>();
  for (const right of missing) {
    const { verb, namespace, name, lacking } = right;
    const where = namespace === undefined ? 'in the cluster' : `in the namespace ${namespace}`;
    const given = [...new Set(lacking.map(rightText))].sort().join(', ');
    const line = `${rightText(right)} ${where}${given === '' ? '' : `, or the permissions that it grants: ${given}`}`;
    const names = lines.get(line) ?? new Set();
    // RBAC allows permission to create objects by name, but nobody grants it.
    if (name !== undefined && verb !== 'create') names.add(name);
    lines.set(line, names);
  }
  return [...lines]
    .map(([line, names]) => (names.size === 0 ? line : `${line} (${[...names].sort().join(', ')})`))
    .sort();
}

/** Formats `get pods/log`, `list deployments.apps`. */
function rightText({ verb, group, resource, subresource }: RightRef): string {
  const whole = subresource === undefined ? resource : `${resource}/${subresource}`;
  return `${verb} ${group === '' ? whole : `${whole}.${group}`}`;
}

function canI({ verb, group, resource, namespace, name }: RightRef): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  const object = name === undefined || verb === 'create' ? kind : `${kind}/${name}`;
  return `kubectl auth can-i ${verb} ${object}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}

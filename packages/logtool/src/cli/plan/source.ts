import { usageError } from '@logtool/kube/src/values/errors.ts';
import { findNameFault, type NameRule } from '../../domain/names.ts';
import type { NodeField } from '../../resolve/placement-wishes.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { CONTAINER_STATES } from '../flags/table.ts';
import type { OutputPlan } from './output.ts';
import type { Settings } from './settings.ts';
import { badValue, readBoolean, readChoice, readList, readText } from './values.ts';

/** Columns (and fields of JSON) that come from the labels of nodes, which cost requests of their own. */
const NODE_COLUMNS: readonly NodeField[] = ['region', 'zone', 'os', 'arch'];

/** Which containers are asked for. */
export function planSource(
  settings: Settings,
  positionals: readonly string[],
  output: OutputPlan,
): SourcePlan {
  return {
    sources: positionals,
    ...planNamespaces(settings),
    selector: readText(settings, 'selector', 'app=web'),
    fieldSelector: readFieldSelector(settings),
    allContainers: readBoolean(settings, 'all-containers'),
    containers: readGlobs(settings, 'container', 'label'),
    excludeContainers: readGlobs(settings, 'exclude-container', 'label'),
    excludePods: readGlobs(settings, 'exclude-pod', 'subdomain'),
    excludeKinds: [
      ...(readBoolean(settings, 'init-containers', true) ? [] : (['init'] as const)),
      ...(readBoolean(settings, 'ephemeral-containers', true) ? [] : (['ephemeral'] as const)),
    ],
    containerStates: readStates(settings),
    nodes: readList(settings, 'node'),
    regions: readList(settings, 'region'),
    zones: readList(settings, 'zone'),
    os: readList(settings, 'os'),
    arch: readList(settings, 'arch'),
    placement: NODE_COLUMNS.filter((name) => columnsOf(output).includes(name)),
  };
}

/** Columns that the output shows. */
function columnsOf({ format, columns, template }: OutputPlan): readonly string[] {
  if (format === 'template') return template.flatMap((part) => (part.kind === 'column' ? [part.column] : []));
  return format === 'raw' || format === 'json' ? [] : columns;
}

function planNamespaces(settings: Settings): Pick<SourcePlan, 'namespaces' | 'allNamespaces'> {
  const namespaces = readList(settings, 'namespace');
  if (!readBoolean(settings, 'all-namespaces'))
    return { namespaces: namespaces.length === 0 ? undefined : namespaces, allNamespaces: false };
  const named = settings.given('namespace');
  // One of the environment stands for all commands: it gives way.
  if (named === undefined) return { namespaces: undefined, allNamespaces: true };
  throw usageError({
    code: 'exclusive-namespaces',
    what: `--all-namespaces and ${named.written} exclude each other`,
    why: 'both say where sources that name no namespace are',
    next: 'keep one of them',
  });
}

/** Names with stars, checked; undefined where none is given. */
function readGlobs(settings: Settings, name: string, rule: NameRule): readonly string[] | undefined {
  const globs = readList(settings, name);
  for (const value of globs) {
    const fault = findNameFault(value, rule, { glob: true });
    if (fault === undefined) continue;
    const why = `${fault.why}; this is a list of names, in which * stands for any part`;
    throw badValue('bad-name', { value, written: `--${name}` }, why, `write --${name}=app,log-*`);
  }
  return globs.length === 0 ? undefined : globs;
}

function readStates(settings: Settings): SourcePlan['containerStates'] {
  const states = readList(settings, 'container-state').map((value) =>
    readChoice({ value, written: '--container-state' }, CONTAINER_STATES),
  );
  if (states.length === 0 || states.includes('all')) return undefined;
  return states.filter((state) => state !== 'all');
}

/** As the server reads it (k8s.io/apimachinery/pkg/fields): which fields there are, it knows. */
function readFieldSelector(settings: Settings): string | undefined {
  const text = readText(settings, 'field-selector', 'status.phase=Running');
  if (text === undefined) return undefined;
  const terms = text.match(/(?:\\.|[^,\\])+/g) ?? [];
  if (terms.length > 0 && terms.every((term) => /^[^=!\\]+(?:==|!=|=)/.test(term))) return text;
  throw badValue(
    'bad-field-selector',
    { value: text, written: '--field-selector' },
    'it is not a list of FIELD=VALUE or FIELD!=VALUE',
    'write --field-selector=status.phase=Running,spec.nodeName=NODE',
  );
}

import { NODE_COLUMNS } from '../../../domain/columns.ts';
import { findNameFault, type NameRule } from '../../../domain/names.ts';
import type { SourcePlan } from '../../../resolve/resolve.ts';
import { badValue, usageFailure } from '../../messages/errors.ts';
import type { Settings } from '../../settings/settings.ts';
import type { OutputPlan } from './logs-plan.ts';

/** Plans which containers to read. */
export function planSource(
  settings: Settings<'logs'>,
  positionals: readonly string[],
  output: OutputPlan,
): SourcePlan {
  return {
    sources: positionals,
    ...planNamespaces(settings),
    selector: settings.value('selector'),
    fieldSelector: readFieldSelector(settings),
    allContainers: settings.value('all-containers'),
    containers: readGlobs(settings, 'container', 'label'),
    excludeContainers: readGlobs(settings, 'exclude-container', 'label'),
    excludePods: readGlobs(settings, 'exclude-pod', 'subdomain'),
    excludeKinds: [
      ...(settings.value('init-containers') ? [] : (['init'] as const)),
      ...(settings.value('ephemeral-containers') ? [] : (['ephemeral'] as const)),
    ],
    containerStates: planStates(settings),
    nodes: settings.value('node'),
    regions: settings.value('region'),
    zones: settings.value('zone'),
    os: settings.value('os'),
    arch: settings.value('arch'),
    placement: NODE_COLUMNS.filter((name) => columnsOf(output).includes(name)),
  };
}

/** Returns the columns that the output shows. */
function columnsOf({ format, columns, template }: OutputPlan): readonly string[] {
  if (format === 'template')
    return template.flatMap((token) => (token.kind === 'column' ? [token.column] : []));
  return format === 'raw' || format === 'json' || format === 'pretty' ? [] : columns;
}

/** Plans everything that the sources lead to, for commands that select neither containers nor nodes. */
export function planWholeSource(
  settings: Settings<'events' | 'why'>,
  positionals: readonly string[],
): SourcePlan {
  return {
    sources: positionals,
    ...planNamespaces(settings),
    selector: settings.value('selector'),
    allContainers: true,
    nodes: [],
    regions: [],
    zones: [],
    os: [],
    arch: [],
  };
}

/** Plans the namespaces of sources without one. */
function planNamespaces(
  settings: Settings<'logs' | 'events' | 'why'>,
): Pick<SourcePlan, 'namespaces' | 'allNamespaces'> {
  const namespaces = settings.value('namespace');
  if (!settings.value('all-namespaces'))
    return { namespaces: namespaces.length === 0 ? undefined : namespaces, allNamespaces: false };
  const named = settings.given('namespace');
  // A variable applies to all commands, so it yields.
  if (named === undefined) return { namespaces: undefined, allNamespaces: true };
  throw usageFailure('exclusive-namespaces', { written: named.written });
}

type GlobFlag = 'container' | 'exclude-container' | 'exclude-pod';

/** Reads names with stars and checks them; undefined if none is given. */
function readGlobs(
  settings: Settings<'logs'>,
  name: GlobFlag,
  rule: NameRule,
): readonly string[] | undefined {
  const globs = settings.value(name);
  for (const value of globs) {
    const fault = findNameFault(value, rule, { glob: true });
    if (fault === undefined) continue;
    throw badValue('bad-name', { value, written: `--${name}` }, fault);
  }
  return globs.length === 0 ? undefined : globs;
}

function planStates(settings: Settings<'logs'>): SourcePlan['containerStates'] {
  const states = settings.value('container-state');
  return states.includes('all') ? undefined : states.filter((state) => state !== 'all');
}

/**
 * Checks a field selector's form as the server does (k8s.io/apimachinery/pkg/fields); only the server knows
 * which fields exist.
 */
function readFieldSelector(settings: Settings<'logs'>): string | undefined {
  const text = settings.value('field-selector');
  if (text === undefined) return undefined;
  const terms = text.match(/(?:\\.|[^,\\])+/g) ?? [];
  if (terms.length > 0 && terms.every((term) => /^[^=!\\]+(?:==|!=|=)/.test(term))) return text;
  throw badValue('bad-field-selector', { value: text, written: '--field-selector' }, {});
}

import { makeGlob } from '../../domain/glob.ts';
import { resolveFailure } from '../../domain/resolve-failures.ts';
import { checkNamespace, parseSource, type SourceSpec } from '../../domain/source-syntax.ts';
import type { SourcePlan } from '../resolve.ts';
import { type LabelSelector, parseLabelSelector } from './label-selector.ts';

/**
 * Parses the sources and the selector of a plan. Throws the usage error of the first one that is wrong. Makes no
 * request, so a command can check its arguments before it connects.
 */
export function readSources(plan: SourcePlan): {
  readonly specs: readonly SourceSpec[];
  readonly selector: LabelSelector;
} {
  const selector = plan.selector === undefined ? [] : parseLabelSelector(plan.selector);
  plan.namespaces?.forEach(checkNamespace);
  const everywhere = plan.allNamespaces ? makeGlob('*') : undefined;
  const specs = plan.sources.map((source) => {
    const spec = parseSource(source);
    return spec.namespace === undefined ? { ...spec, namespace: everywhere } : spec;
  });
  if (specs.length > 0) return { specs, selector };
  const argument = selectorsOf(plan);
  if (argument === '') {
    throw resolveFailure('no-source', {}, { exit: 'usage' });
  }
  return {
    specs: [{ argument, namespace: everywhere, kind: { name: 'pods' }, name: makeGlob('*') }],
    selector,
  };
}

/** Returns the name of the default source: the conditions. */
function selectorsOf({ selector, fieldSelector }: SourcePlan): string {
  return [selector, fieldSelector].filter(Boolean).join(' ');
}

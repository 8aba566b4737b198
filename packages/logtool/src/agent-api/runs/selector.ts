import type { ContainerLog } from './container-log.ts';

type Read = (log: ContainerLog) => string;

/** The fields by which lists and watches select. They never change in an object. */
const FIELDS: Readonly<Record<string, Read>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace,
  'spec.podName': ({ spec }) => spec.podName,
  'spec.podUID': ({ spec }) => spec.podUID,
  'spec.nodeName': ({ spec }) => spec.nodeName,
};

export type Selector = (log: ContainerLog) => boolean;

/**
 * Reads a field selector: `FIELD=VALUE`, `==` and `!=`, joined by commas. Returns the requirement that is none, or whose
 * field is unknown.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */
export function parseFieldSelector(text: string): Selector | { readonly unknown: string } {
  const requirements: Selector[] = [];
  for (const requirement of text.split(',')) {
    if (requirement === '') continue;
    const [, field = '', operator = '', value = ''] = /^([^=!]+)(!=|==?)(.*)$/.exec(requirement) ?? [];
    const read = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
    if (read === undefined) return { unknown: field === '' ? requirement : field };
    requirements.push((log) => (read(log) === value) === (operator !== '!='));
  }
  return (log) => requirements.every((is) => is(log));
}

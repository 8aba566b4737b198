import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type ManifestProblem } from '../failures.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { type ClusterObject, textAt } from './cluster-object.ts';

/** Separates the documents of a manifest by Helm's own rule: `---` at the beginning of a line. */
const SEPARATOR = /^---[ \t]*(?:#.*)?$/m;

/**
 * Returns the objects of a manifest, in order; a List becomes its items.
 * @throws CodedError `manifest-malformed` for a document that is not a Kubernetes object.
 */
export function readManifest(manifest: string): readonly ClusterObject[] {
  return readDocuments(manifest).flatMap(({ value, text }) => (value === null ? [] : objectsOf(value, text)));
}

/** One document of a manifest. */
export interface ManifestDocument {
  readonly text: string;
  /** Null if the document is empty. */
  readonly value: Value;
}

/**
 * Returns the documents of a manifest, in order, whatever they contain.
 * @throws CodedError `manifest-malformed` for a document that is not valid YAML.
 */
export function readDocuments(manifest: string): readonly ManifestDocument[] {
  return manifest.split(SEPARATOR).map((text) => {
    try {
      return { text, value: readYaml(text) };
    } catch (error) {
      throw malformed(text, { problem: 'no-yaml', why: (error as Error).message }, error);
    }
  });
}

/** `list`: the type of list items that omit their own. */
function objectsOf(
  value: Value,
  document: string,
  list: { readonly apiVersion: string; readonly kind: string } = { apiVersion: '', kind: '' },
): readonly ClusterObject[] {
  if (!(value instanceof Map)) throw malformed(document, { problem: 'no-map' });
  if (list.kind !== '' && textAt(value, 'kind') === '')
    value.set('apiVersion', list.apiVersion).set('kind', list.kind);
  const apiVersion = textAt(value, 'apiVersion');
  const kind = textAt(value, 'kind');
  if (apiVersion === '' || kind === '') throw malformed(document, { problem: 'no-kind' });
  const items = value.get('items');
  if (kind.endsWith('List') && Array.isArray(items))
    return items.flatMap((item) =>
      objectsOf(item, document, { apiVersion, kind: kind.slice(0, -'List'.length) }),
    );
  const metadata = value.get('metadata');
  const named: ValueMap = metadata instanceof Map ? metadata : new Map();
  const name = textAt(named, 'name');
  if (name === '' && textAt(named, 'generateName') === '')
    throw malformed(document, { problem: 'no-name', kind });
  return [{ apiVersion, kind, name, namespace: textAt(named, 'namespace') || undefined, content: value }];
}

function malformed(document: string, problem: ManifestProblem, cause?: unknown): CodedError {
  const source = /^# Source: (.+)$/m.exec(document)?.[1];
  return helmFailure('manifest-malformed', { source, ...problem }, { cause });
}

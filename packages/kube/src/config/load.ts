import { kubeFailure } from '../values/failures.ts';
import { field, isPlainObject, objectField, objectListField, textField, wrongType } from './fields.ts';
import { InvalidField, withFile, withinField } from './invalid-field.ts';
import type { Entry, Kubeconfig, Plain } from './kubeconfig.ts';
import type { Locations } from './locate.ts';
import { parseKubeconfigText } from './parse.ts';
import { FileUnreadable, readSmallFile } from './read-file.ts';

/**
 * Reads and merges the kubeconfigs of these locations. Like kubectl, skips a listed file that does not exist if another
 * one does. Throws CodedError `kubeconfig-not-found`, `kubeconfig-unreadable`, `kubeconfig-invalid`.
 */
export async function loadKubeconfig(locations: Locations): Promise<Kubeconfig> {
  const read = await Promise.all(locations.files.map(readIfExists));
  const configs: Kubeconfig[] = [];
  for (const file of read) {
    if (file === undefined) continue;
    const document = await parseKubeconfigText(file.bytes, file.path);
    configs.push(await withFile({ file: file.path, path: [] }, () => decodeKubeconfig(document, file.path)));
  }
  if (configs.length === 0)
    throw kubeFailure('kubeconfig-not-found', { files: locations.files, from: locations.from });
  return mergeKubeconfigs(configs);
}

async function readIfExists(path: string): Promise<{ path: string; bytes: Buffer } | undefined> {
  try {
    return { path, bytes: await readSmallFile(path) };
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    const isForbidden = error.code === 'EACCES' || error.code === 'EPERM';
    throw kubeFailure(
      'kubeconfig-unreadable',
      { file: path, why: error.problem, isForbidden },
      { cause: error },
    );
  }
}

/**
 * Decodes a kubeconfig from the document of one file. Does not check the fields of an entry before its use, so that a
 * mistake in another cluster's entry does no harm. Throws InvalidField.
 */
function decodeKubeconfig(document: Plain, file: string): Kubeconfig {
  if (document === null) {
    return { files: [file], currentContext: '', clusters: new Map(), users: new Map(), contexts: new Map() };
  }
  if (!isPlainObject(document)) throw new InvalidField([], wrongType('object', document));
  const kind = textField(document, 'kind');
  if (kind !== '' && kind !== 'Config')
    throw new InvalidField(['kind'], { problem: 'value', expected: ['Config'], found: kind });
  const version = textField(document, 'apiVersion');
  if (version !== '' && version !== 'v1')
    throw new InvalidField(['apiVersion'], { problem: 'value', expected: ['v1'], found: version });
  return {
    files: [file],
    currentContext: textField(document, 'current-context'),
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
    contexts: entries('contexts', 'context'),
  };

  function entries(list: string, singular: string): Map<string, Entry> {
    const found = new Map<string, Entry>();
    objectListField(document as { [key: string]: Plain }, list).forEach((item, index) => {
      const at = [list, index];
      const name = withinField(at, () => textField(item, 'name'));
      if (found.has(name)) throw new InvalidField([...at, 'name'], { problem: 'repeated', name });
      if (field(item, singular) === undefined && name === '') return;
      const fields = withinField(at, () => objectField(item, singular));
      found.set(name, { name, fields, file, path: [...at, singular] });
    });
    return found;
  }
}

/** Merges kubeconfigs: the first file that has an entry, or a current-context, wins; entries are never mixed. */
function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.find((config) => config.currentContext !== '')?.currentContext ?? '',
    clusters: firstOf(configs.map((config) => config.clusters)),
    users: firstOf(configs.map((config) => config.users)),
    contexts: firstOf(configs.map((config) => config.contexts)),
  };
}

function firstOf(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  const merged = new Map<string, Entry>();
  for (const map of maps) {
    for (const [name, entry] of map) if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}

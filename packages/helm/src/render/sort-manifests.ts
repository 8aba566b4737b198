import { type Fields, readStruct, TEXT } from '../chart/read-struct.ts';
import { helmFailure } from '../failures.ts';
import type { Hook, HookDeletePolicy, HookEvent } from '../release/release.ts';
import { compareText } from '../value/order.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import { compareInstallOrder } from './kind-order.ts';
import { splitDocuments } from './split-documents.ts';

/** One object of the release's manifest. */
export interface Manifest {
  /** The source template. */
  readonly path: string;
  readonly kind: string;
  readonly text: string;
}

const EVENTS: ReadonlyMap<string, HookEvent> = new Map([
  ['pre-install', 'pre-install'],
  ['post-install', 'post-install'],
  ['pre-delete', 'pre-delete'],
  ['post-delete', 'post-delete'],
  ['pre-upgrade', 'pre-upgrade'],
  ['post-upgrade', 'post-upgrade'],
  ['pre-rollback', 'pre-rollback'],
  ['post-rollback', 'post-rollback'],
  ['test', 'test'],
  // The name in Helm 2.
  ['test-success', 'test'],
]);

/**
 * Splits rendered files into objects and hooks, each in installation order. Omits a hook with an unknown event, as Helm
 * does. Throws CodedError `manifest-invalid` for invalid YAML.
 */
export function sortManifests(files: ReadonlyMap<string, string>): {
  readonly manifests: readonly Manifest[];
  readonly hooks: readonly Hook[];
} {
  const manifests: Manifest[] = [];
  const hooks: Hook[] = [];
  for (const path of [...files.keys()].sort(compareText)) {
    if (path.slice(path.lastIndexOf('/') + 1).startsWith('_')) continue;
    for (const text of splitDocuments(files.get(path)!)) {
      const head = readHead(path, text);
      const events = head.annotations.get('helm.sh/hook');
      if (events === undefined) {
        manifests.push({ path, kind: head.kind, text });
        continue;
      }
      const hook = readHook(path, text, head, events);
      if (hook !== undefined) hooks.push(hook);
    }
  }
  manifests.sort((a, b) => compareInstallOrder(a.kind, b.kind));
  hooks.sort((a, b) => compareInstallOrder(a.kind, b.kind));
  return { manifests, hooks };
}

interface Head {
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

const HEAD: Fields = {
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { kind: 'struct', fields: { name: TEXT, annotations: { kind: 'map', of: TEXT } } },
};

function readHead(path: string, text: string): Head {
  try {
    const { kind = '', metadata = {} } = readStruct(text, 'util.SimpleHead', HEAD) as RawHead;
    const { name = '', annotations = {} } = metadata;
    return { kind, name, annotations: new Map(Object.entries(annotations)) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw helmFailure('manifest-invalid', { path, why: error.message }, { cause: error });
  }
}

/** The result of reading HEAD. */
interface RawHead {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
}

function readHook(path: string, text: string, head: Head, eventList: string): Hook | undefined {
  const events = listOf(eventList).map((name) => EVENTS.get(name));
  if (!events.every((event) => event !== undefined)) return undefined;
  const weight = head.annotations.get('helm.sh/hook-weight') ?? '';
  const listed = (annotation: string): string[] => {
    const list = head.annotations.get(`helm.sh/${annotation}`);
    return list === undefined ? [] : listOf(list);
  };
  return {
    name: head.name,
    kind: head.kind,
    path,
    manifest: text,
    events,
    weight: /^[+-]?\d{1,18}$/.test(weight) ? Number(weight) : 0,
    // Unknown policies stay but have no effect.
    deletePolicies: listed('hook-delete-policy') as HookDeletePolicy[],
    outputLogPolicies: listed('hook-output-log-policy') as ('hook-succeeded' | 'hook-failed')[],
    lastRun: { phase: '' },
  };
}

function listOf(text: string): string[] {
  return text.split(',').map((item) => item.trim().toLowerCase());
}

import { LogtoolError } from '../../domain/errors.ts';
import type { KubeClient, KubeObject, RequestOptions } from '../../kube/client.ts';
import { KubeError } from '../../kube/errors.ts';
import { writeJson } from '../json/write-json.ts';
import { FIELD_MANAGER, type ManagedFields, migrateManagedFields } from './managed-fields.ts';
import { type Target, targetText } from './target.ts';

/**
 * Brings an object of the cluster to what its manifest says, or makes it, by server-side apply as Helm 4 does:
 * manager helm, no conflict forced, unknown fields refused. `live` is what is there; where Helm 3 wrote it, its fields
 * are handed over first.
 * @throws LogtoolError `apply-conflict` where another manager owns a field, `object-refused` where the object is
 * invalid; else KubeError.
 */
export async function applyTarget(
  client: KubeClient,
  target: Target,
  live: KubeObject | undefined,
  options: RequestOptions,
): Promise<void> {
  const { object, type, namespace } = target;
  try {
    if (object.name === '') {
      await client.create(type, namespace, JSON.parse(writeJson(object.content)), options);
      return;
    }
    if (live !== undefined) await migrate(client, target, live, options);
    await client.patch(
      type,
      { namespace, name: object.name },
      'application/apply-patch+yaml',
      writeJson(object.content),
      { ...options, query: { fieldManager: FIELD_MANAGER, fieldValidation: 'Strict', force: 'false' } },
    );
  } catch (error) {
    throw explain(error, target);
  }
}

/** Only on the very object that was read: where it has changed since, the apply that follows tells of a conflict. */
async function migrate(
  client: KubeClient,
  { type, namespace }: Target,
  live: KubeObject,
  options: RequestOptions,
): Promise<void> {
  const {
    name,
    resourceVersion,
    managedFields = [],
  } = live.metadata as KubeObject['metadata'] & {
    readonly managedFields?: readonly ManagedFields[];
  };
  const migrated = migrateManagedFields(managedFields);
  if (migrated === undefined) return;
  const patch = [
    { op: 'replace', path: '/metadata/managedFields', value: migrated },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
  await client.patch(type, { namespace, name }, 'application/json-patch+json', patch, {
    ...options,
    query: { fieldManager: FIELD_MANAGER },
  });
}

/** A refusal in words that say which object, and whose field. */
function explain(error: unknown, target: Target): unknown {
  if (!(error instanceof KubeError)) return error;
  const causes = error.details?.causes ?? [];
  if (error.kind === 'conflict' && causes.length > 0) {
    return new LogtoolError({
      code: 'apply-conflict',
      what: `${targetText(target)} was changed by somebody else`,
      why: causes.map(({ field, message }) => `${message} ${field}`.trim()).join('\n'),
      next: 'let the one who owns these fields give them up, or set the same values in the chart',
      cause: error,
    });
  }
  // An unknown field is an internal error of the API server, as far as its status says.
  if (error.kind === 'bad-request' || /^failed to create typed patch object/.test(error.message)) {
    return new LogtoolError({
      code: 'object-refused',
      what: `the cluster refuses ${targetText(target)}`,
      why: error.message,
      next: 'mend the values or the chart; --dry-run shows what would be sent',
      cause: error,
    });
  }
  return error;
}

import type { KubeClient, KubeObject, RequestOptions } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { writeJson } from '../json/write-json.ts';
import { FIELD_MANAGER, type ManagedFields, migrateManagedFields } from './managed-fields.ts';
import { explainRefusal } from './refusal.ts';
import type { Target } from './target.ts';

/**
 * Changes an object of the cluster to match its manifest, or creates it, by server-side apply as in Helm 4: field
 * manager `helm`, no forced conflicts, unknown fields refused. `live` is the present object; if Helm 3 wrote it, the
 * call first transfers the ownership of its fields.
 * @throws CodedError `apply-conflict` if another manager owns a field, `object-unchangeable` if a field is immutable,
 * `namespace-not-found`, `object-refused` if the object is invalid; else KubeError.
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
    throw explainRefusal(error, target);
  }
}

/** The limit of client-go's RetryOnConflict: a controller may write the object's status at any time. */
const MAX_TRIES = 5;

/** Migrates only the version of the object that it read: after a conflict, it reads the object again. */
async function migrate(
  client: KubeClient,
  { type, namespace }: Target,
  live: KubeObject,
  options: RequestOptions,
): Promise<void> {
  const { name } = live.metadata;
  let present = live;
  for (let tries = 1; ; tries++) {
    const patch = handOver(present);
    if (patch === undefined) return;
    try {
      await client.patch(type, { namespace, name }, 'application/json-patch+json', patch, {
        ...options,
        query: { fieldManager: FIELD_MANAGER },
      });
      return;
    } catch (error) {
      if (!isKubeError(error, 'conflict') || tries === MAX_TRIES) throw error;
      present = await client.get<KubeObject>(type, { namespace, name }, options);
    }
  }
}

/** Returns undefined if Helm 3 did not write the object, or its fields were already migrated. */
function handOver({ metadata }: KubeObject): readonly object[] | undefined {
  const { resourceVersion, managedFields = [] } = metadata as KubeObject['metadata'] & {
    readonly managedFields?: readonly ManagedFields[];
  };
  const migrated = migrateManagedFields(managedFields);
  return (
    migrated && [
      { op: 'replace', path: '/metadata/managedFields', value: migrated },
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ]
  );
}

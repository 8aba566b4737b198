import { invalid } from '../../api-error.ts';
import { sameJson } from '../../json-value.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { at } from '../table/read.ts';

/** Fields that no update may change, by resource (validation.go of each group). */
const FIXED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'deployments.apps': [['spec', 'selector']],
  'daemonsets.apps': [['spec', 'selector']],
  'replicasets.apps': [['spec', 'selector']],
  'jobs.batch': [
    ['spec', 'completions'],
    ['spec', 'selector'],
    ['spec', 'template'],
    ['spec', 'completionMode'],
  ],
  secrets: [['type']],
  'rolebindings.rbac.authorization.k8s.io': [['roleRef']],
  'clusterrolebindings.rbac.authorization.k8s.io': [['roleRef']],
  'storageclasses.storage.k8s.io': [
    ['parameters'],
    ['provisioner'],
    ['reclaimPolicy'],
    ['volumeBindingMode'],
  ],
  'priorityclasses.scheduling.k8s.io': [['value']],
};
/** Fields of a StatefulSet's spec that may change. */
const STATEFUL_SET_MAY_CHANGE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const STATEFUL_SET_RULE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/**
 * Checks that an update changes no field that is fixed for the object's lifetime.
 * @throws ApiError 422
 */
export function checkChange(type: ApiResource, before: StoredObject, after: StoredObject): void {
  const causes: Cause[] = (FIXED[type.storedAs] ?? []).flatMap((path) => {
    const value = at(after, ...path);
    return sameJson(at(before, ...path), value) ? [] : [fixed(path.join('.'), value)];
  });
  if (type.storedAs === 'rolebindings.rbac.authorization.k8s.io' || type.plural === 'clusterrolebindings') {
    for (const [index, cause] of causes.entries()) {
      causes[index] = {
        ...cause,
        message: cause.message.replace(/field is immutable$/, 'cannot change roleRef'),
      };
    }
  }
  if (type.storedAs === 'services') causes.push(...serviceCauses(before, after));
  if (type.storedAs === 'statefulsets.apps') causes.push(...statefulSetCauses(before, after));
  if (isImmutable(type, before)) causes.push(...immutableCauses(before, after));
  if (causes.length > 0) throw invalid(type, before.metadata.name, causes);
}

function fixed(field: string, value: unknown): Cause {
  const message = `Invalid value: ${JSON.stringify(value ?? null)}: field is immutable`;
  return { reason: 'FieldValueInvalid', message, field };
}

function forbidden(field: string, detail: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field };
}

/** A Service's address must stay, unless its type changes to or from ExternalName. */
function serviceCauses(before: StoredObject, after: StoredObject): readonly Cause[] {
  const [old, now] = [at(before, 'spec', 'clusterIP'), at(after, 'spec', 'clusterIP')];
  const external = [before, after].some((object) => at(object, 'spec', 'type') === 'ExternalName');
  if (external || old === undefined || sameJson(old, now)) return [];
  const message = `Invalid value: ${JSON.stringify([now])}: may not change once set`;
  return [{ reason: 'FieldValueInvalid', message, field: 'spec.clusterIPs[0]' }];
}

function statefulSetCauses(before: StoredObject, after: StoredObject): readonly Cause[] {
  const rest = ({ spec = {} }: StoredObject) =>
    Object.fromEntries(Object.entries(spec).filter(([key]) => !STATEFUL_SET_MAY_CHANGE.includes(key)));
  return sameJson(rest(before), rest(after)) ? [] : [forbidden('spec', STATEFUL_SET_RULE)];
}

function isImmutable(type: ApiResource, before: StoredObject): boolean {
  return (type.storedAs === 'secrets' || type.storedAs === 'configmaps') && before.immutable === true;
}

function immutableCauses(before: StoredObject, after: StoredObject): readonly Cause[] {
  const detail = 'field is immutable when `immutable` is set';
  return ['immutable', 'data', 'binaryData']
    .filter((field) => !sameJson(before[field], after[field]))
    .map((field) => forbidden(field, detail));
}

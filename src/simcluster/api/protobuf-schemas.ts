/** How one field of a message becomes a field of JSON. */
export type FieldShape =
  | {
      readonly kind: 'text' | 'texts' | 'bytes' | 'number' | 'boolean' | 'time' | 'text-map' | 'bytes-map';
      readonly name: string;
    }
  | { readonly kind: 'message' | 'messages'; readonly name: string; readonly shape: MessageShape };

/** Fields by their number. */
export type MessageShape = Readonly<Record<number, FieldShape>>;

function texts(...names: readonly string[]): MessageShape {
  return Object.fromEntries(names.map((name, index) => [index + 1, { kind: 'text', name } as const]));
}

const OWNER_REFERENCE: MessageShape = {
  1: { kind: 'text', name: 'kind' },
  3: { kind: 'text', name: 'name' },
  4: { kind: 'text', name: 'uid' },
  5: { kind: 'text', name: 'apiVersion' },
  6: { kind: 'boolean', name: 'controller' },
  7: { kind: 'boolean', name: 'blockOwnerDeletion' },
};

/** k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto */
const METADATA: FieldShape = {
  kind: 'message',
  name: 'metadata',
  shape: {
    1: { kind: 'text', name: 'name' },
    2: { kind: 'text', name: 'generateName' },
    3: { kind: 'text', name: 'namespace' },
    5: { kind: 'text', name: 'uid' },
    6: { kind: 'text', name: 'resourceVersion' },
    7: { kind: 'number', name: 'generation' },
    8: { kind: 'time', name: 'creationTimestamp' },
    9: { kind: 'time', name: 'deletionTimestamp' },
    11: { kind: 'text-map', name: 'labels' },
    12: { kind: 'text-map', name: 'annotations' },
    13: { kind: 'messages', name: 'ownerReferences', shape: OWNER_REFERENCE },
    14: { kind: 'texts', name: 'finalizers' },
  },
};

const RESOURCE_ATTRIBUTES = texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name');

/** The kinds that clients post as protobuf and that are small (k8s.io/api: generated.proto of each group). */
export const MESSAGE_SHAPES: Readonly<Record<string, MessageShape>> = {
  SelfSubjectAccessReview: {
    2: {
      kind: 'message',
      name: 'spec',
      shape: {
        1: { kind: 'message', name: 'resourceAttributes', shape: RESOURCE_ATTRIBUTES },
        2: { kind: 'message', name: 'nonResourceAttributes', shape: texts('path', 'verb') },
      },
    },
  },
  SelfSubjectRulesReview: { 2: { kind: 'message', name: 'spec', shape: texts('namespace') } },
  SelfSubjectReview: {},
  Namespace: { 1: METADATA },
  ServiceAccount: { 1: METADATA },
  ConfigMap: {
    1: METADATA,
    2: { kind: 'text-map', name: 'data' },
    3: { kind: 'bytes-map', name: 'binaryData' },
    4: { kind: 'boolean', name: 'immutable' },
  },
  Secret: {
    1: METADATA,
    2: { kind: 'bytes-map', name: 'data' },
    3: { kind: 'text', name: 'type' },
    4: { kind: 'text-map', name: 'stringData' },
    5: { kind: 'boolean', name: 'immutable' },
  },
  DeleteOptions: {
    1: { kind: 'number', name: 'gracePeriodSeconds' },
    2: { kind: 'message', name: 'preconditions', shape: texts('uid', 'resourceVersion') },
    4: { kind: 'text', name: 'propagationPolicy' },
    5: { kind: 'texts', name: 'dryRun' },
  },
};

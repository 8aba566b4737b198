import type { Field, ListShape, Shape, StructShape } from './shape.ts';

type Schema = Record<string, unknown>;

/** Package of each group's types, as in a real server's document; other groups are in k8s.io/api. */
const PACKAGES: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  autoscaling: 'io.k8s.api.autoscaling.v2',
  autoscaling1: 'io.k8s.api.autoscaling.v1',
};

/** Fields that Go writes even if they are empty, but that a client may omit: see api/openapi-spec of Kubernetes. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'apps.StatefulSetOrdinals.start',
  'apps.StatefulSetSpec.serviceName',
  'apps.StatefulSetStatus.availableReplicas',
  'autoscaling.HorizontalPodAutoscalerStatus.currentMetrics',
  'batch.PodFailurePolicyOnPodConditionsPattern.status',
  'core.AzureFilePersistentVolumeSource.secretNamespace',
  'core.ContainerImage.names',
  'core.Event.reportingComponent',
  'core.Event.reportingInstance',
  'core.GRPCAction.service',
  'core.NodeRuntimeHandler.name',
  'core.ProjectedVolumeSource.sources',
  'core.TypedLocalObjectReference.apiGroup',
  'core.TypedObjectReference.apiGroup',
  'events.Event.metadata',
  'networking.IngressClassParametersReference.scope',
  'networking.NetworkPolicySpec.podSelector',
  'rbac.ClusterRole.rules',
  'rbac.Role.rules',
  'rbac.RoleRef.apiGroup',
  'scheduling.PriorityClass.value',
  'storage.CSINodeDriver.topologyKeys',
  'apiextensions.CustomResourceDefinitionStatus.conditions',
  'apiextensions.CustomResourceDefinitionStatus.acceptedNames',
  'apiextensions.CustomResourceDefinitionStatus.storedVersions',
]);

/** Returns the full name of a type: `core.Pod` -> `io.k8s.api.core.v1.Pod`. */
export function fullName(qualified: string): string {
  const [group = '', name = ''] = qualified.split('.');
  return `${PACKAGES[group] ?? `io.k8s.api.${group}.v1`}.${name}`;
}

/** Collects the schemas of types and of all types that they refer to, by full name; references start with `prefix`. */
export class SchemaCollector {
  readonly schemas = new Map<string, Schema>();
  readonly #prefix: string;
  /** OpenAPI version 2 uses plain references, and a server omits defaults from it. */
  readonly #isThree: boolean;

  constructor(prefix: '#/components/schemas/' | '#/definitions/') {
    this.#prefix = prefix;
    this.#isThree = prefix === '#/components/schemas/';
  }

  /** Collects a type of the tables; returns its full name. */
  add(shape: StructShape): string {
    const name = fullName(shape.name);
    if (!this.schemas.has(name)) {
      const schema: Schema = {};
      this.schemas.set(name, schema);
      Object.assign(schema, this.#struct(shape));
    }
    return name;
  }

  #struct(shape: StructShape): Schema {
    const properties = [...shape.fields.values()].map((field) => [field.name, this.#field(field)] as const);
    const required = [...shape.fields.values()]
      .filter(({ always, name }) => always && !OPTIONAL.has(`${shape.name}.${name}`))
      .map(({ name }) => name);
    return {
      type: 'object',
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required }),
      ...(shape.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    };
  }

  #field(field: Field): Schema {
    const schema = this.of(field.shape);
    const { patch, shape, pointer, defaultText } = field;
    const isReference = shape.kind === 'struct';
    const strategies = [
      ...(patch?.merge === true ? ['merge'] : []),
      ...(patch?.retainKeys === true ? ['retainKeys'] : []),
    ];
    return {
      ...(isReference && this.#isThree ? { allOf: [schema] } : schema),
      ...(isReference && !pointer && this.#isThree ? { default: {} } : {}),
      ...(defaultText === undefined || !this.#isThree ? {} : { default: defaultText }),
      ...(strategies.length === 0 ? {} : { 'x-kubernetes-patch-strategy': strategies.join(',') }),
      ...(patch === undefined || patch.key === '' ? {} : { 'x-kubernetes-patch-merge-key': patch.key }),
    };
  }

  of(shape: Shape): Schema {
    switch (shape.kind) {
      case 'struct':
        return { $ref: `${this.#prefix}${this.add(shape)}` };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#item(shape.values),
          ...(shape.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
        };
      case 'list':
        return this.#list(shape);
      case 'any':
        return this.#isThree ? { type: 'object' } : {};
      case 'scalar':
        return SCALARS[shape.scalar];
    }
  }

  #item(shape: Shape): Schema {
    const schema = this.of(shape);
    return shape.kind === 'struct' && this.#isThree ? { allOf: [schema], default: {} } : schema;
  }

  #list(shape: ListShape): Schema {
    return {
      type: 'array',
      items: this.#item(shape.items),
      'x-kubernetes-list-type': shape.relation,
      ...(shape.relation === 'map' ? { 'x-kubernetes-list-map-keys': shape.keys } : {}),
    };
  }
}

const SCALARS = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  quantity: { type: 'string' },
  'int-or-string': { type: 'string', format: 'int-or-string' },
  time: { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time' },
} as const;

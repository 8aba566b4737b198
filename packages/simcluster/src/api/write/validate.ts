import { invalid } from '../../api-error.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { array, at, fields, text } from '../table/read.ts';

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
/** Names of RBAC objects may be any path segment. */
const PATH_SEGMENT_GROUP = 'rbac.authorization.k8s.io';

/**
 * Checks what matters for handwritten objects: the name, and the fields without which nothing runs.
 * @throws ApiError 422
 */
export function validate(type: ApiResource, object: Readonly<Record<string, unknown>>): void {
  const causes: Cause[] = [];
  const name = text(at(object, 'metadata', 'name'));
  if (name === '') {
    causes.push(required('metadata.name', 'name or generateName is required'));
  } else if (
    type.group === PATH_SEGMENT_GROUP ? /[/%]|^\.\.?$/.test(name) : name.length > 253 || !SUBDOMAIN.test(name)
  ) {
    const message = `Invalid value: ${JSON.stringify(name)}: ${SUBDOMAIN_RULE}`;
    causes.push({ reason: 'FieldValueInvalid', message, field: 'metadata.name' });
  }
  causes.push(...labelCauses(object));
  if (type.storedAs === 'secrets' || type.storedAs === 'configmaps') causes.push(...sizeCauses(object));
  if (type.storedAs === 'pods') causes.push(...containerCauses(at(object, 'spec'), 'spec'));
  if (
    ['deployments.apps', 'replicasets.apps', 'statefulsets.apps', 'daemonsets.apps'].includes(type.storedAs)
  ) {
    const selector = at(object, 'spec', 'selector');
    if (selector === undefined) causes.push(required('spec.selector'));
    else causes.push(...selectorCauses(selector, at(object, 'spec', 'template', 'metadata', 'labels')));
    causes.push(...containerCauses(at(object, 'spec', 'template', 'spec'), 'spec.template.spec'));
  }
  if (causes.length > 0) throw invalid(type, name, causes);
}

/** Limit for all values of a Secret or ConfigMap together. */
const MAX_BYTES = 1024 * 1024;

function sizeCauses(object: Readonly<Record<string, unknown>>): readonly Cause[] {
  const encoded = object.kind === 'Secret' ? object.data : object.binaryData;
  const plain = object.kind === 'Secret' ? undefined : object.data;
  let bytes = 0;
  for (const value of Object.values(fields(encoded))) bytes += Buffer.byteLength(text(value), 'base64');
  for (const value of Object.values(fields(plain))) bytes += Buffer.byteLength(text(value));
  if (bytes <= MAX_BYTES) return [];
  const message = `Too long: may not be more than ${MAX_BYTES} bytes`;
  return [{ reason: 'FieldValueTooLong', message, field: object.kind === 'Secret' ? 'data' : '[]' }];
}

const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const LABEL_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const MAX_LABEL_LENGTH = 63;

function labelCauses(object: unknown): readonly Cause[] {
  return Object.values(fields(at(object, 'metadata', 'labels'))).flatMap((value) => {
    const wrong = [
      ...(text(value).length > MAX_LABEL_LENGTH
        ? [`must be no more than ${MAX_LABEL_LENGTH} characters`]
        : []),
      ...(LABEL_VALUE.test(text(value)) ? [] : [LABEL_RULE]),
    ];
    return wrong.map((rule) => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(value)}: ${rule}`,
      field: 'metadata.labels',
    }));
  });
}

/** A workload must select the pods that it creates. */
function selectorCauses(selector: unknown, labels: unknown): readonly Cause[] {
  const wanted = Object.entries(fields(at(selector, 'matchLabels')));
  if (wanted.every(([key, value]) => at(labels, key) === value)) return [];
  const message = `Invalid value: ${JSON.stringify(labels ?? null)}: \`selector\` does not match template \`labels\``;
  return [{ reason: 'FieldValueInvalid', message, field: 'spec.template.metadata.labels' }];
}

function required(field: string, detail?: string): Cause {
  const message = detail === undefined ? 'Required value' : `Required value: ${detail}`;
  return { reason: 'FieldValueRequired', message, field };
}

function containerCauses(spec: unknown, field: string): readonly Cause[] {
  const containers = array(at(spec, 'containers'));
  if (containers.length === 0) return [required(`${field}.containers`)];
  return containers.flatMap((container, index) => {
    const path = `${field}.containers[${index}]`;
    return [
      ...(text(container.name) === '' ? [required(`${path}.name`)] : []),
      ...(text(container.image) === '' ? [required(`${path}.image`)] : []),
    ];
  });
}

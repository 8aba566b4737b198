import { createHash } from 'node:crypto';
import { GROUP, GROUP_VERSION, VERSION } from './api-documents.ts';

const LOG_PATH = `/apis/${GROUP_VERSION}/namespaces/{namespace}/pods/{name}/log`;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'integer' | 'boolean' };
}

const inPath = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: { type: 'string' },
});
const inQuery = (name: string, type: Parameter['schema']['type'], description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type },
});

const LOG_PARAMETERS: readonly Parameter[] = [
  inPath('name', 'Name of the pod'),
  inPath('namespace', 'Namespace of the pod'),
  inQuery('container', 'string', 'The container. Default: the only one of the pod.'),
  inQuery('follow', 'boolean', 'Keep the answer open, and send lines as they are written.'),
  inQuery('limitBytes', 'integer', 'End the answer after this many bytes.'),
  inQuery('node', 'string', 'The node, for a pod that is gone. Default: that of the pod.'),
  inQuery('previous', 'boolean', 'The run before the last one.'),
  inQuery('run', 'integer', 'The run with this restart count. Default: the last one.'),
  inQuery('sinceSeconds', 'integer', 'Only lines of the last seconds.'),
  inQuery('sinceTime', 'string', 'Only lines from this time on (RFC 3339).'),
  inQuery('stream', 'string', 'All, Stdout or Stderr. Default: All.'),
  inQuery('tailLines', 'integer', 'Only this many lines from the end.'),
  inQuery('timestamps', 'boolean', 'Begin each line with its timestamp.'),
  inQuery('uid', 'string', 'The UID of the pod, for one that is gone and had the same name.'),
];

const TEXT = { type: 'string' };
const COUNTS = { type: 'array', items: { type: 'integer', nullable: true } };
const INTEGER = { type: 'integer', format: 'int64' };

/** Described as clients show it (kubectl explain). */
const CONTAINER_LOG = {
  description: 'What a node has of one run of a container.',
  type: 'object',
  properties: {
    apiVersion: TEXT,
    kind: TEXT,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        containerName: TEXT,
        nodeName: TEXT,
        podName: TEXT,
        podUID: { ...TEXT, description: 'The UID of the pod; of a static pod, the hash of its definition.' },
        run: { ...INTEGER, description: 'The restart count of the container at this run.' },
      },
    },
    status: {
      type: 'object',
      properties: {
        bytes: { ...INTEGER, description: 'Bytes of all files on the disk of the node.' },
        files: { type: 'array', items: { type: 'object' }, description: 'The files, the oldest first.' },
        firstTime: { ...TEXT, description: 'The timestamp of the oldest line; null if it is unknown.' },
        lastTime: { ...TEXT, description: 'When the newest file was last written to.' },
        lastMinute: {
          ...TEXT,
          description: 'The minute of the newest line, which is the last of perMinute.',
        },
        perMinute: {
          ...COUNTS,
          description: 'Lines of each of 30 minutes; null: not all of them were read.',
        },
        errorsPerMinute: { ...COUNTS, description: 'How many of these lines are errors, by their levels.' },
      },
    },
  },
  'x-kubernetes-group-version-kind': [{ group: GROUP, version: VERSION, kind: 'ContainerLog' }],
};

/** The OpenAPI v3 document of the group: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3 */
export function openApi() {
  const operation = {
    tags: ['logtoolDev_v1alpha1'],
    description: 'Read the log of a container, with all files that its node has of the run.',
    operationId: 'readLogtoolDevV1alpha1NamespacedPodLog',
    parameters: LOG_PARAMETERS,
    responses: {
      '200': { description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } },
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': 'get',
    'x-kubernetes-group-version-kind': { group: GROUP, version: VERSION, kind: 'PodLogs' },
  };
  return {
    openapi: '3.0.0',
    info: { title: 'logtool', version: VERSION },
    paths: { [LOG_PATH]: { get: operation } },
    components: { schemas: { 'dev.logtool.v1alpha1.ContainerLog': CONTAINER_LOG } },
  };
}

/** Names the document with a hash of it, by which clients know whether theirs is still the same. */
export function openApiIndex() {
  const hash = createHash('sha256').update(JSON.stringify(openApi())).digest('hex').toUpperCase();
  const path = `apis/${GROUP_VERSION}`;
  return { paths: { [path]: { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` } } };
}

/** What a path and a method ask for (k8s.io/apiserver/pkg/endpoints/request: RequestInfo). */
export interface RequestInfo {
  readonly isResource: boolean;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Below a namespace's own path these are subresources of the namespace, not resources in it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

export function readRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  const plain: RequestInfo = {
    isResource: false,
    verb: method.toLowerCase(),
    path,
    group: '',
    version: '',
    namespace: undefined,
    resource: '',
    subresource: '',
    name: '',
  };
  const core = parts[0] === 'api';
  if ((!core && parts[0] !== 'apis') || parts.length < (core ? 3 : 4)) return plain;
  const group = core ? '' : (parts[1] ?? '');
  const version = parts[core ? 1 : 2] ?? '';
  let rest = parts.slice(core ? 2 : 3);
  let verb = VERBS[method] ?? '';
  if (rest[0] === 'watch' && rest.length > 1) {
    verb = 'watch';
    rest = rest.slice(1);
  }
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1];
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.includes(rest[2] ?? '')) rest = rest.slice(2);
  }
  const resource = rest[0] ?? '';
  let name = rest[1] ?? '';
  const subresource = rest[2] ?? '';
  if (name === '' && (verb === 'get' || verb === 'watch')) {
    name = namedByFieldSelector(query) ?? '';
    if (verb === 'get') verb = isTrue(query.get('watch')) ? 'watch' : 'list';
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return { isResource: true, verb, path, group, version, namespace, resource, subresource, name };
}

/** A list or watch of `metadata.name=X` alone is authorised as a request for that name. */
function namedByFieldSelector(query: URLSearchParams): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1];
}

function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

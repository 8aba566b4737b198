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
  const address = readAddress(parts);
  if (address === undefined) return { ...NO_RESOURCE, verb: method.toLowerCase(), path };
  const { group, version, rest: whole } = address;
  const isWatchPath = whole[0] === 'watch' && whole.length > 1;
  const { namespace, rest } = readNamespace(isWatchPath ? whole.slice(1) : whole);
  const [resource = '', ownName = '', subresource = ''] = rest;
  const methodVerb = isWatchPath ? 'watch' : (VERBS[method] ?? '');
  const { verb, name } =
    ownName === '' ? ofCollection(methodVerb, query) : { verb: methodVerb, name: ownName };
  return { isResource: true, verb, path, group, version, namespace, resource, subresource, name };
}

const NO_RESOURCE = {
  isResource: false,
  group: '',
  version: '',
  namespace: undefined,
  resource: '',
  subresource: '',
  name: '',
} as const;

/** `/api/VERSION/...` or `/apis/GROUP/VERSION/...`; undefined for any other path, and for one without a resource. */
function readAddress(parts: readonly string[]) {
  const [root, first = '', second = ''] = parts;
  if (root === 'api' && parts.length >= 3) return { group: '', version: first, rest: parts.slice(2) };
  if (root === 'apis' && parts.length >= 4) return { group: first, version: second, rest: parts.slice(3) };
  return undefined;
}

function readNamespace(parts: readonly string[]) {
  const [first, namespace, inside] = parts;
  if (first !== 'namespaces' || namespace === undefined) return { namespace: undefined, rest: parts };
  const isInside = inside !== undefined && !NAMESPACE_SUBRESOURCES.includes(inside);
  return { namespace, rest: isInside ? parts.slice(2) : parts };
}

/** What a method means to a path that names no object. */
function ofCollection(
  verb: string,
  query: URLSearchParams,
): { readonly verb: string; readonly name: string } {
  switch (verb) {
    case 'get':
      return {
        verb: isTrue(query.get('watch')) ? 'watch' : 'list',
        name: namedByFieldSelector(query) ?? '',
      };
    case 'watch':
      return { verb, name: namedByFieldSelector(query) ?? '' };
    case 'delete':
      return { verb: 'deletecollection', name: '' };
    default:
      return { verb, name: '' };
  }
}

/** A list or watch of only `metadata.name=X` is authorized as a request for that name. */
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

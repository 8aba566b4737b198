/** The meaning of a path and a method (k8s.io/apiserver/pkg/endpoints/request: RequestInfo). */
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

/** Directly below a namespace's path, these are subresources of the namespace, not resources in it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

export function readRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode);
  const address = readAddress(segments);
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

/**
 * Reads `/api/VERSION/...` or `/apis/GROUP/VERSION/...`; undefined for any other path, and for one without a resource.
 */
function readAddress(segments: readonly string[]) {
  const [root, first = '', second = ''] = segments;
  if (root === 'api' && segments.length >= 3) return { group: '', version: first, rest: segments.slice(2) };
  if (root === 'apis' && segments.length >= 4)
    return { group: first, version: second, rest: segments.slice(3) };
  return undefined;
}

function readNamespace(segments: readonly string[]) {
  const [first, namespace, inside] = segments;
  if (first !== 'namespaces' || namespace === undefined) return { namespace: undefined, rest: segments };
  const isInside = inside !== undefined && !NAMESPACE_SUBRESOURCES.includes(inside);
  return { namespace, rest: isInside ? segments.slice(2) : segments };
}

/** Returns the verb of a method on a path that names no object. */
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

/**
 * Returns the name in a field selector: a list or watch of only `metadata.name=X` is authorized as a request for that
 * name.
 */
function namedByFieldSelector(query: URLSearchParams): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1];
}

function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

import { ApiError, badRequest } from '../../api-error.ts';

interface Operation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a document.
 * @throws ApiError 400 if the patch is not an array, 422 if it does not fit the document
 */
export function applyJsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch must be an array of operations');
  const holder = { root: structuredClone(document) as unknown };
  for (const operation of patch as readonly Operation[]) apply(holder, operation);
  return holder.root;
}

function apply(holder: { root: unknown }, { op, path, from, value }: Operation): void {
  switch (op) {
    case 'add':
      write(holder, tokens(path), structuredClone(value), 'add');
      return;
    case 'replace':
      write(holder, tokens(path), structuredClone(value), 'replace');
      return;
    case 'remove':
      remove(holder, tokens(path));
      return;
    case 'move': {
      const moved = read(holder, tokens(from));
      remove(holder, tokens(from));
      write(holder, tokens(path), moved, 'add');
      return;
    }
    case 'copy':
      write(holder, tokens(path), structuredClone(read(holder, tokens(from))), 'add');
      return;
    case 'test':
      if (JSON.stringify(read(holder, tokens(path))) !== JSON.stringify(value)) {
        throw wrong(`testing value ${String(path)} failed`);
      }
      return;
    default:
      throw wrong(`Unexpected kind: ${String(op)}`);
  }
}

function wrong(message: string): ApiError {
  return new ApiError(
    422,
    'Invalid',
    `the server rejected our request due to an error in our request: ${message}`,
  );
}

function tokens(path: unknown): readonly string[] {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/')))
    throw wrong(`bad path ${String(path)}`);
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(holder: { root: unknown }, path: readonly string[]): unknown {
  let value = holder.root;
  for (const token of path) value = child(value, token);
  return value;
}

function child(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return value[index(token, value.length - 1)];
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, token)) {
    return (value as Record<string, unknown>)[token];
  }
  throw wrong(`missing path /${token}`);
}

function index(token: string, last: number): number {
  const at = /^\d{1,9}$/.test(token) ? Number(token) : Number.NaN;
  if (!(at <= last)) throw wrong(`index ${token} out of range`);
  return at;
}

function write(
  holder: { root: unknown },
  path: readonly string[],
  value: unknown,
  how: 'add' | 'replace',
): void {
  const last = path.at(-1);
  if (last === undefined) {
    holder.root = value;
    return;
  }
  const parent = read(holder, path.slice(0, -1));
  if (Array.isArray(parent)) {
    if (how === 'replace') parent[index(last, parent.length - 1)] = value;
    else if (last === '-') parent.push(value);
    else parent.splice(index(last, parent.length), 0, value);
    return;
  }
  if (typeof parent !== 'object' || parent === null) throw wrong(`missing path /${path.join('/')}`);
  if (how === 'replace' && !Object.hasOwn(parent, last)) throw wrong(`missing path /${path.join('/')}`);
  define(parent, last, value);
}

function remove(holder: { root: unknown }, path: readonly string[]): void {
  const last = path.at(-1) ?? '';
  const parent = read(holder, path.slice(0, -1));
  child(parent, last);
  if (Array.isArray(parent)) parent.splice(index(last, parent.length - 1), 1);
  else delete (parent as Record<string, unknown>)[last];
}

/** Sets a field with any name as data; `__proto__` is not special. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';

/** Go's path.Clean: returns the shortest equivalent path. */
function clean(path: string): string {
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push(segment);
  }
  const joined = kept.join('/');
  return isAbsolute ? `/${joined}` : joined || '.';
}

function base(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  const trimmed = path.slice(0, end);
  return trimmed.slice(trimmed.lastIndexOf('/') + 1) || '/';
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}

const ofPath = (change: (path: string) => string): GoFunction =>
  goFunction(['string'], 'string', (call, path) => {
    call.charge(path.length);
    return change(path);
  });

const IS_ABSOLUTE = goFunction(['string'], 'bool', (_call, path) => path.startsWith('/'));
const OF_PATH = {
  base: ofPath(base),
  clean: ofPath(clean),
  dir: ofPath((path) => clean(path.slice(0, path.lastIndexOf('/') + 1))),
  ext: ofPath(extension),
};

/** Sprig's path functions: http://masterminds.github.io/sprig/paths.html. File paths always use slashes. */
export const PATH_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['base', OF_PATH.base],
  ['clean', OF_PATH.clean],
  ['dir', OF_PATH.dir],
  ['ext', OF_PATH.ext],
  ['isAbs', IS_ABSOLUTE],
  ['osBase', OF_PATH.base],
  ['osClean', OF_PATH.clean],
  ['osDir', OF_PATH.dir],
  ['osExt', OF_PATH.ext],
  ['osIsAbs', IS_ABSOLUTE],
]);

import { posix } from 'node:path';
import { chartError } from './chart-error.ts';

/**
 * Returns the path of an archive's file inside the chart: without the first directory, with slashes.
 * @throws CodedError for every path that leads out of the chart
 */
export function pathInChart(name: string): string {
  // An archive created on Windows may use backslashes throughout.
  const delimiter = name.includes('\\') ? '\\' : '/';
  const [first = '', ...rest] = name.split(delimiter);
  const path = rest.join('/');
  if (posix.isAbsolute(path) || /^[\\/]/.test(name)) {
    throw chartError('chart illegally contains absolute paths');
  }
  const clean = posix.normalize(path === '' ? '.' : path).replace(/(?<=.)\/$/, '');
  if (clean === '.') {
    throw chartError(`chart illegally contains content outside the base directory: ${JSON.stringify(name)}`);
  }
  if (clean.startsWith('..') || first === '..')
    throw chartError('chart illegally references parent directory');
  if (/^[A-Za-z]:\//.test(clean) || clean.includes('\0'))
    throw chartError('chart contains illegally named files');
  if (first === 'Chart.yaml') throw chartError('chart yaml not in base directory');
  return clean;
}

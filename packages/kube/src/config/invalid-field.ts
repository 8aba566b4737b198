import type { FieldFault } from '../values/problems.ts';
import { invalidKubeconfig } from './invalid.ts';
import type { Entry } from './kubeconfig.ts';

/** A field with an invalid value. `withFile` turns it into a CodedError once the file is known. */
export class InvalidField extends Error {
  readonly path: readonly (string | number)[];
  readonly fault: FieldFault;

  constructor(path: readonly (string | number)[], fault: FieldFault) {
    super(`${pathText(path)} ${fault.problem}`);
    this.name = 'InvalidField';
    this.path = path;
    this.fault = fault;
  }
}

/** Runs `read`, whose fields lie below `path`. Rethrows an InvalidField from inside with the whole path. */
export function withinField<T>(path: readonly (string | number)[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    throw new InvalidField([...path, ...error.path], error.fault);
  }
}

/** Runs `read`. Turns an InvalidField inside into `kubeconfig-invalid` with file, line and field. */
export async function withFile<T>(
  entry: Pick<Entry, 'file' | 'path'>,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    const path = [...entry.path, ...error.path];
    const { lineOf } = await import('./line-of.ts');
    const line = await lineOf(entry.file, path);
    const data = { path: pathText(path), fault: error.fault };
    throw invalidKubeconfig(entry.file, line, { code: 'bad-field', data }, error);
  }
}

/** Formats a path: `users[0].user.token`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

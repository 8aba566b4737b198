import { invalidKubeconfig } from './invalid.ts';
import type { Entry } from './kubeconfig.ts';

/** A field of a wrong kind. Becomes a CodedError if the file is known: see `withFile`. */
export class InvalidField extends Error {
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.name = 'InvalidField';
    this.path = path;
  }
}

/** Runs `read`, whose fields lie below `path`: rethrows an InvalidField from inside with the whole path. */
export function withinField<T>(path: readonly (string | number)[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    throw new InvalidField([...path, ...error.path], error.message);
  }
}

/** Runs `read`; an InvalidField inside becomes `kubeconfig-invalid` with file, line and field. */
export async function withFile<T>(
  place: Pick<Entry, 'file' | 'path'>,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    const path = [...place.path, ...error.path];
    const { lineOf } = await import('./line-of.ts');
    const line = await lineOf(place.file, path);
    const why = path.length === 0 ? `it ${error.message}` : `${pathText(path)} ${error.message}`;
    throw invalidKubeconfig(place.file, line, why, error);
  }
}

/** `users[0].user.token` */
function pathText(path: readonly (string | number)[]): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

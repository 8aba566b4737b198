import { dirname, resolve } from 'node:path';
import { textField } from '../config/fields.ts';
import type { Entry } from '../config/kubeconfig.ts';
import { FileUnreadable, readSmallFile } from '../config/read-file.ts';
import { kubeFailure } from '../values/failures.ts';

/** Resolves a path relative to the folder of its kubeconfig. */
export function resolveBeside(kubeconfigFile: string, path: string): string {
  return resolve(dirname(kubeconfigFile), path);
}

/**
 * Returns the bytes of NAME-data (base64; wins) or of the file that NAME names; undefined if neither is set. Throws
 * InvalidField, CodedError `bad-certificate-data`.
 */
export async function readData(entry: Entry, name: string): Promise<Buffer | undefined> {
  const data = textField(entry.fields, `${name}-data`);
  if (data !== '') return decodeBase64(data, `${name}-data`, entry);
  const path = textField(entry.fields, name);
  if (path === '') return undefined;
  try {
    return await readSmallFile(resolveBeside(entry.file, path));
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    const { path, problem: why } = error;
    throw kubeFailure(
      'bad-certificate-data',
      { problem: 'unreadable', entry: entry.name, field: name, file: entry.file, path, why },
      { cause: error },
    );
  }
}

/** Decodes standard base64 with padding; allows line breaks, as Go does. Throws CodedError `bad-certificate-data`. */
function decodeBase64(text: string, field: string, { name, file }: Entry): Buffer {
  const compact = text.replace(/[\r\n]/g, '');
  if (compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact))
    return Buffer.from(compact, 'base64');
  throw kubeFailure('bad-certificate-data', { problem: 'not-base64', field, entry: name, file });
}

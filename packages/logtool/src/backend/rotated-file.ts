import { isKubeError } from '@logtool/kube/src/errors.ts';
import { plainBody } from '@logtool/kube/src/transport/buffer-body.ts';
import type { ContainerFolder } from './container-folder.ts';
import { type RotatedFile, rotatedName } from './run-files.ts';

/** Enough for the first entry's stamp, and to recognize a file: its first bytes never change. */
export const HEAD_BYTES = 512;
/** Compressed, at least as much text as the head; a block of the kubelet's gzip starts within it. */
export const PACKED_HEAD_BYTES = 64 * 1024;

/**
 * Opens a rotated file, of which it returns the text; by the time it is opened, the kubelet may have compressed it.
 * `maxBytes`: of the file as it is on the disk. Throws what the folder throws.
 */
export async function openRotated(
  folder: ContainerFolder,
  run: number,
  file: RotatedFile,
  maxBytes?: number,
): Promise<AsyncIterable<Uint8Array>> {
  const range = maxBytes === undefined ? undefined : { from: 0, to: maxBytes - 1 };
  const open = async (isCompressed: boolean) => {
    const { body } = await folder.open(rotatedName(run, { ...file, isCompressed }), range);
    return isCompressed ? gunzipped(body) : body;
  };
  try {
    return await open(file.isCompressed);
  } catch (error) {
    if (file.isCompressed || !isKubeError(error, 'not-found')) throw error;
    return open(true);
  }
}

/** Unpacks a file as it comes. Throws `protocol` if it is damaged. */
function gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return plainBody(body, { encoding: 'gzip', limitBytes: Number.POSITIVE_INFINITY, request: undefined });
}

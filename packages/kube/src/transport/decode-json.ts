import { KubeError, type RequestSubject } from '../errors.ts';

/** Code of a KubeError for a text that began as JSON and was cut, although the connection ended cleanly. */
export const TRUNCATED = 'ERR_TRUNCATED';

/** Reads JSON of unknown shape. Throws a KubeError of kind `protocol` that shows the beginning of the text. */
export function decodeJson(bytes: Buffer, request: RequestSubject): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    const begin = JSON.stringify(text.slice(0, 80));
    if (!text.startsWith('{')) {
      throw new KubeError({
        kind: 'protocol',
        problem: { code: 'not-json', data: { begin } },
        request,
        cause,
      });
    }
    throw new KubeError({
      kind: 'protocol',
      code: TRUNCATED,
      problem: { code: 'broken-json', data: { begin } },
      request,
      cause,
    });
  }
}

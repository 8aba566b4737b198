import { failure, type Status } from './status.ts';

/** Errors and warnings of lists of container logs, in the words of core where core has such an error. */

const KIND = 'containerlogs';

export function containerLogNotFound(name: string): Status {
  return failure(404, 'NotFound', `${KIND}.logtool.dev "${name}" not found`, { name, kind: KIND });
}

export function fieldNotSupported(field: string): Status {
  return failure(400, 'BadRequest', `field label not supported: ${field}`);
}

/** Container logs have no labels: a selector of them is a mistake. */
export function labelsNotSupported(): Status {
  return failure(400, 'BadRequest', `${KIND} have no labels to select by`);
}

export function badVersion(text: string): Status {
  return failure(400, 'BadRequest', `invalid resource version ${JSON.stringify(text)}`);
}

/** Changes since this version are not known any more, or were before this server started. */
export function expired(version: string, current: string): Status {
  return failure(410, 'Expired', `too old resource version: ${version} (${current})`);
}

/** For the header `Warning` (RFC 7234, 5.5): kubectl prints it. */
export function missingNodesWarning(nodes: readonly string[]): string {
  const shown = nodes.slice(0, SHOWN_NODES).join(', ');
  const more = nodes.length > SHOWN_NODES ? ` and ${nodes.length - SHOWN_NODES} more` : '';
  return `299 logtool "no answer from the agents of ${shown}${more}: their logs may be missing or old"`;
}

const SHOWN_NODES = 5;

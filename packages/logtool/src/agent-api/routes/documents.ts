import {
  apiGroup,
  discoveryType,
  GROUP,
  GROUP_VERSION,
  groupDiscovery,
  groupList,
  resourceList,
  wantedDiscovery,
} from './api-documents.ts';
import { openApi, openApiIndex } from './open-api.ts';

/** An answer that is sent at once. */
export type Document =
  | { readonly text: string }
  /** `type`: of the content, if it is another than JSON. */
  | {
      readonly json: unknown;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

const PLAIN: Readonly<Record<string, () => Document>> = {
  '/healthz': () => ({ text: 'ok' }),
  '/livez': () => ({ text: 'ok' }),
  // Ready without the API server, too: who needs it gets an error of its own, and discovery needs nobody.
  '/readyz': () => ({ text: 'ok' }),
  [`/apis/${GROUP}`]: () => ({ json: apiGroup() }),
  [`/apis/${GROUP_VERSION}`]: () => ({ json: resourceList() }),
  '/openapi/v3': () => ({ json: openApiIndex() }),
  [`/openapi/v3/apis/${GROUP_VERSION}`]: () => ({ json: openApi() }),
};

/** Returns the document at a path; undefined if there is none. `accept`: of the request. */
export function answerDocument(path: string, accept: string | undefined): Document | undefined {
  if (path === '/apis') {
    const version = wantedDiscovery(accept);
    return version === undefined
      ? { json: groupList() }
      : { json: groupDiscovery(version), type: discoveryType(version) };
  }
  return Object.hasOwn(PLAIN, path) ? PLAIN[path]?.() : undefined;
}

import { ApiError } from '../../api-error.ts';
import type { ApiRequest } from './request.ts';

type MediaType = 'json' | 'yaml' | 'vnd.kubernetes.protobuf';

/** The format of a response. */
export interface OutputFormat {
  readonly mediaType: MediaType;
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  readonly pretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const STREAMS = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

/** Returns the clauses of an Accept header, in order of preference. */
export function acceptClauses(header: string | undefined): readonly Clause[] {
  return (header === undefined || header === '' ? '*/*' : header)
    .split(',')
    .map((text, index) => {
      const [type = '', ...rest] = text.split(';').map((parameter) => parameter.trim());
      const parameters = Object.fromEntries(
        rest.map((pair) => {
          const equals = pair.indexOf('=');
          return [pair.slice(0, equals), pair.slice(equals + 1)];
        }),
      );
      return { type, parameters, index, quality: Number(parameters.q ?? 1) };
    })
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
}

/**
 * Picks the first clause that the server supports; protobuf only if the client accepts nothing else. CBOR is not
 * supported.
 * @throws ApiError 406
 */
export function negotiate(request: ApiRequest, options: { readonly transforms: boolean }): OutputFormat {
  let known = false;
  const clauses = acceptClauses(request.headers.accept);
  for (const clause of [...clauses.filter(({ type }) => type !== PROTOBUF), ...clauses]) {
    const mediaType = mediaTypeOf(clause.type);
    if (mediaType === undefined) continue;
    known = true;
    const { as } = clause.parameters;
    if (as === undefined) return { mediaType, as: undefined, pretty: isPretty(request) };
    if (!options.transforms || !isTransform(clause, as)) continue;
    return { mediaType, as, pretty: isPretty(request) };
  }
  if (known)
    throw new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${ACCEPTED}`);
  const message = `406: Not Acceptable\n\nAvailable representations: ${ACCEPTED}, ${STREAMS}`;
  throw new ApiError(406, 'NotAcceptable', message, {});
}

/**
 * Picks the format of a watch.
 * @throws ApiError 406, because watches support only JSON
 */
export function negotiateWatch(request: ApiRequest): OutputFormat {
  const format = negotiate(request, { transforms: true });
  if (format.mediaType !== 'json') {
    throw new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${STREAMS}`);
  }
  return format;
}

function mediaTypeOf(type: string): MediaType | undefined {
  if (type === '*/*' || type === 'application/*' || type === 'application/json') return 'json';
  if (type === PROTOBUF) return 'vnd.kubernetes.protobuf';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

function isTransform(clause: Clause, as: string): as is NonNullable<OutputFormat['as']> {
  const { g, v } = clause.parameters;
  if (g !== undefined && g !== 'meta.k8s.io') return false;
  if (v !== undefined && v !== 'v1' && v !== 'v1beta1') return false;
  return as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
}

/** Whether to indent: as the request says, else only for people who use curl or a browser. */
export function isPretty(request: ApiRequest): boolean {
  const asked = request.query.get('pretty');
  if (asked !== null) return asked === '1' || asked.toLowerCase() === 'true' || asked === '';
  return /^(curl\/|Wget\/|Mozilla\/5\.0)/.test(request.headers['user-agent'] ?? '');
}

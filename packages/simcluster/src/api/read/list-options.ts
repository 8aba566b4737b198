import { ApiError, badRequest, invalid } from '../../api-error.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { type ApiRequest, flag, parameter } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { type FieldRequirement, fieldsMatch, parseFieldSelector } from './field-selector.ts';
import { type LabelRequirement, labelsMatch, parseLabelSelector } from './label-selector.ts';

export interface ListOptions {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
  /** As the client sent it; '' if omitted. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  /** 0 if omitted. */
  readonly timeoutSeconds: number;
}

const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

/**
 * Reads the options of a list or watch.
 * @throws ApiError 400 and 422, with the wording of k8s.io/apimachinery
 */
export function readListOptions(request: ApiRequest, info: RequestInfo, type: ApiResource): ListOptions {
  const fields = [...parseFieldSelector(parameter(request, 'fieldSelector'), type)];
  if (info.verb === 'watch' && info.path.split('/').includes('watch') && info.name !== '') {
    fields.push({ field: 'metadata.name', negated: false, value: info.name });
  }
  const options: ListOptions = {
    labels: parseLabelSelector(parameter(request, 'labelSelector')),
    fields,
    resourceVersion: parameter(request, 'resourceVersion'),
    resourceVersionMatch: parameter(request, 'resourceVersionMatch'),
    limit: integer(parameter(request, 'limit')),
    continueToken: parameter(request, 'continue'),
    sendInitialEvents: request.query.has('sendInitialEvents')
      ? flag(request, 'sendInitialEvents')
      : undefined,
    allowWatchBookmarks: flag(request, 'allowWatchBookmarks'),
    timeoutSeconds: integer(parameter(request, 'timeoutSeconds')),
  };
  const wrong = info.verb === 'watch' ? watchProblem(options) : listProblem(options);
  if (wrong !== undefined) {
    const causes = [
      { reason: 'FieldValueForbidden', message: `Forbidden: ${wrong}`, field: 'resourceVersionMatch' },
    ];
    throw invalid(LIST_OPTIONS, '', causes);
  }
  return options;
}

function listProblem(options: ListOptions): string | undefined {
  const { resourceVersion, resourceVersionMatch, continueToken } = options;
  if (options.sendInitialEvents !== undefined) return 'sendInitialEvents is forbidden for list';
  if (resourceVersionMatch === '') return undefined;
  if (continueToken !== '') return 'resourceVersionMatch is forbidden when continue is provided';
  if (resourceVersion === '') return 'resourceVersionMatch is forbidden unless resourceVersion is provided';
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    return 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"';
  }
  return undefined;
}

function watchProblem(options: ListOptions): string | undefined {
  const { sendInitialEvents, resourceVersionMatch } = options;
  if (sendInitialEvents !== undefined) {
    return resourceVersionMatch === 'NotOlderThan'
      ? undefined
      : 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
  }
  return resourceVersionMatch === ''
    ? undefined
    : 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
}

function integer(text: string): number {
  if (text === '') return 0;
  if (!/^[-+]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

export function selects(options: ListOptions, object: StoredObject): boolean {
  return labelsMatch(options.labels, object.metadata.labels) && fieldsMatch(options.fields, object);
}

export function hasSelector(options: ListOptions): boolean {
  return options.labels.length > 0 || options.fields.length > 0;
}

/** Returns the error text of a list or watch for a resourceVersion that is not a number. */
export function invalidVersion(text: string): string {
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
}

export function tooLarge(wanted: string, current: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

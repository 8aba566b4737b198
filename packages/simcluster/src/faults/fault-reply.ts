import { ApiError } from '../api-error.ts';
import type { Fault } from './fault.ts';

const REASONS: Readonly<Record<number, readonly [string, string]>> = {
  401: ['Unauthorized', 'Unauthorized'],
  403: ['Forbidden', 'forbidden by an injected fault'],
  404: ['NotFound', 'the server could not find the requested resource'],
  410: ['Expired', 'The resourceVersion for the provided list is too old.'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  500: ['InternalError', 'Internal error occurred: injected fault'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
};

/** Returns the Status for a fault of kind `status`; 429 and 503 may say when to retry. */
export function faultStatus(fault: Fault): ApiError {
  const code = fault.status ?? 500;
  const [reason, message] = REASONS[code] ?? ['Unknown', `status ${code} by an injected fault`];
  const details = fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds };
  return new ApiError(code, reason, fault.text ?? message, details);
}

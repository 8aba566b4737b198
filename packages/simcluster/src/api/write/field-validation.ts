import { ApiError, badRequest, invalid } from '../../api-error.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { contentType } from '../http/body.ts';
import { goJson } from '../http/reply.ts';
import { type ApiRequest, parameter } from '../http/request.ts';
import { checkDecoding } from '../schema/decode-check.ts';
import { duplicateFields } from '../schema/duplicate-fields.ts';
import type { Shape } from '../schema/shape.ts';
import { withoutEmpty } from '../schema/without-empty.ts';

type FieldValidation = 'Strict' | 'Warn' | 'Ignore';
type Body = Readonly<Record<string, unknown>>;

const SUPPORTED = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * Returns how to treat fields that a type lacks: reject, warn about or ignore them
 * (kubernetes.io/docs/reference/using-api/api-concepts/#field-validation).
 * @throws ApiError 422 for another value
 */
function fieldValidationOf(request: ApiRequest, kind: string): FieldValidation {
  const asked = parameter(request, 'fieldValidation');
  if (!SUPPORTED.includes(asked)) {
    const supported = SUPPORTED.map((name) => JSON.stringify(name)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(asked)}: supported values: ${supported}`;
    const causes = [{ reason: 'FieldValueNotSupported', message, field: 'fieldValidation' }];
    throw invalid({ group: 'meta.k8s.io', kind }, '', causes);
  }
  return asked === '' ? 'Warn' : (asked as FieldValidation);
}

/**
 * Returns the body of a POST or PUT without the fields that its type lacks.
 * @throws ApiError 400 if it does not fit the type, or has unknown fields under strict validation
 */
export async function checkedBody(
  request: ApiRequest,
  type: ApiResource,
  shape: Shape,
  body: Body,
): Promise<Body> {
  const how = fieldValidationOf(request, request.method === 'POST' ? 'CreateOptions' : 'UpdateOptions');
  const { unknown, mismatch, pruned } = checkDecoding(shape, body);
  const refuse = (why: string) =>
    badRequest(
      `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: ${why}`,
    );
  if (mismatch !== undefined && !type.custom) throw refuse(mismatch);
  const problems = [...(await duplicatesIn(request, how)), ...unknown.map(unknownText)];
  settle(request, how, problems, refuse);
  return asGoHas(type, shape, pruned);
}

/**
 * Returns the object without the empty fields that Go omits and protobuf does not keep; custom resources stay
 * unchanged.
 */
function asGoHas(type: ApiResource, shape: Shape, pruned: unknown): Body {
  return (type.custom ? pruned : withoutEmpty(shape, pruned)) as Body;
}

/**
 * Returns the patched object without the fields that its type lacks.
 * @throws ApiError 422 if it does not fit the type, or has unknown fields under strict validation
 */
export async function checkedPatch(
  request: ApiRequest,
  type: ApiResource,
  shape: Shape,
  patched: Body,
): Promise<Body> {
  const how = fieldValidationOf(request, 'PatchOptions');
  const { unknown, mismatch, pruned } = checkDecoding(shape, patched);
  const refuse = (why: string) => {
    const message = `Invalid value: ${JSON.stringify(goJson(patched, false))}: ${why}`;
    return new ApiError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
      causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
    });
  };
  if (mismatch !== undefined && !type.custom) throw refuse(mismatch);
  const problems = [...(await duplicatesIn(request, how)), ...unknown.map(unknownText)];
  settle(request, how, problems, refuse);
  return asGoHas(type, shape, pruned);
}

function unknownText(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

async function duplicatesIn(request: ApiRequest, how: FieldValidation): Promise<readonly string[]> {
  if (how === 'Ignore' || !/json$/.test(contentType(request))) return [];
  const text = (await request.body()).toString('utf8');
  return duplicateFields(text).map((path) => `duplicate field ${JSON.stringify(path)}`);
}

function settle(
  request: ApiRequest,
  how: FieldValidation,
  problems: readonly string[],
  refuse: (why: string) => ApiError,
): void {
  if (problems.length === 0 || how === 'Ignore') return;
  if (how === 'Strict') throw refuse(`strict decoding error: ${problems.join(', ')}`);
  request.warnings?.push(...problems);
}

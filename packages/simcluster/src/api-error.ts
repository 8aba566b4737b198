/** One field of an invalid object, in a Status's `details.causes`. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A response of kind Status (kubernetes.io/docs/reference/kubernetes-api/common-definitions/status). */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  /** A continue token that replaces an expired one. */
  readonly continueToken: string | undefined;

  constructor(
    code: number,
    reason: string | undefined,
    message: string,
    details?: StatusDetails,
    continueToken?: string,
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }
}

/** The fields with which a Status's details name a resource. */
interface Named {
  readonly group: string;
  readonly plural: string;
}

function qualified(type: Named): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

function detailsOf(type: Named, name?: string): StatusDetails {
  return {
    ...(name === undefined ? {} : { name }),
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.plural,
  };
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized');
}

export function notFound(type: Named, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${qualified(type)} "${name}" not found`, detailsOf(type, name));
}

/** Makes the 404 for a path below a known group and version that no resource serves. */
export function unknownResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): ApiError {
  return new ApiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function alreadyExists(type: Named, name: string): ApiError {
  return new ApiError(
    409,
    'AlreadyExists',
    `${qualified(type)} "${name}" already exists`,
    detailsOf(type, name),
  );
}

/** Makes the 403 for new objects in a namespace that is being deleted. */
export function terminating(type: Named, name: string, namespace: string): ApiError {
  const message = `${qualified(type)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new ApiError(403, 'Forbidden', message, { ...detailsOf(type, name), causes: [cause] });
}

export function conflict(type: Named, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, detailsOf(type, name));
}

/** Makes a 422 with one cause per field; brackets enclose several messages. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly { readonly reason: string; readonly message: string; readonly field: string }[],
): ApiError {
  const texts = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const title = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new ApiError(422, 'Invalid', `${title} "${name}" is invalid: ${text}`, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes,
  });
}

/** Splits `plural.group` at its first dot. */
export function parseResource(resource: string): Named {
  const dot = resource.indexOf('.');
  return dot === -1
    ? { plural: resource, group: '' }
    : { plural: resource.slice(0, dot), group: resource.slice(dot + 1) };
}

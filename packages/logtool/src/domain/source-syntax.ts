import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type Glob, makeGlob } from './glob.ts';
import { findNameFault, type NameFault } from './names.ts';
import { resolveFailure, type SourceFault, type SourceProblem } from './resolve-failures.ts';
import { sourceKindOf } from './source-kinds.ts';

/** A kind as typed: `deploy`, `deployments.apps`, `deployments.v1.apps`. In lowercase. */
export interface KindName {
  readonly name: string;
  readonly version?: string | undefined;
  /** '' is the core group; undefined leaves the group open. */
  readonly group?: string | undefined;
}

/** One parsed source argument. */
export interface SourceSpec {
  readonly argument: string;
  /** Undefined: the default namespace. */
  readonly namespace?: Glob | undefined;
  /** Undefined: the argument is only a name, which is a pod's. */
  readonly kind?: KindName | undefined;
  readonly name: Glob;
  /** Undefined: the default container of each pod. */
  readonly container?: Glob | undefined;
}

/**
 * Reads `[namespace:]<resource>[/name[/container]]`. Throws a usage error that shows the argument with a caret under
 * the first wrong character. Does not check whether a kind exists: resolution does.
 */
export function parseSource(argument: string): SourceSpec {
  if (argument === '') throw sourceError(argument, { index: 0, problem: 'empty' });
  const start = argument.indexOf(':') + 1;
  const namespace = start === 0 ? undefined : parseNamespace(argument, start - 1);
  const [first = '', ...rest] = argument.slice(start).split('/');
  if (rest.length > 0) return { argument, namespace, ...parseResource(argument, start, [first, ...rest]) };
  const fault = findNameFault(first, 'subdomain', { glob: true });
  if (fault !== undefined) throw loneNameError(argument, start, first, fault);
  return { argument, namespace, name: makeGlob(first) };
}

function parseNamespace(argument: string, colon: number): Glob {
  const text = argument.slice(0, colon);
  const fault = findNameFault(text, 'label', { glob: true });
  if (fault !== undefined)
    throw sourceError(argument, colon === 0 ? { index: 0, problem: 'no-namespace' } : fault);
  const second = argument.indexOf(':', colon + 1);
  if (second !== -1) throw sourceError(argument, { index: second, problem: 'second-namespace' });
  return makeGlob(text);
}

/** Reads `kind/name[/container]` at `start`. */
function parseResource(
  argument: string,
  start: number,
  [kind = '', name = '', container, ...others]: readonly string[],
): Pick<SourceSpec, 'kind' | 'name' | 'container'> {
  const nameAt = start + kind.length + 1;
  const containerAt = nameAt + name.length + 1;
  if (others.length > 0)
    throw sourceError(argument, {
      index: containerAt + (container ?? '').length,
      problem: 'after-container',
    });
  if (/^(?:ns|namespaces?)$/i.test(kind)) throw namespaceAsKind(argument, name);
  const kindFault = findKindFault(kind);
  if (kindFault !== undefined) throw sourceError(argument, moved(kindFault, start));
  const noName = { problem: 'no-name-of-kind', kind } as const;
  const resource = { kind: parseKind(kind), name: parseGlob(argument, nameAt, name, 'subdomain', noName) };
  if (container === undefined) return resource;
  const noContainer = { problem: 'no-container' } as const;
  return { ...resource, container: parseGlob(argument, containerAt, container, 'label', noContainer) };
}

/** Reads the part of the argument that begins at `at`; `ifEmpty`: the fault to report if it is empty. */
function parseGlob(
  argument: string,
  at: number,
  text: string,
  kind: 'subdomain' | 'label',
  ifEmpty: SourceProblem,
): Glob {
  const fault = findNameFault(text, kind, { glob: true });
  if (fault === undefined) return makeGlob(text);
  throw sourceError(argument, text === '' ? { ...ifEmpty, index: at } : moved(fault, at));
}

/** Returns the error for `ns/shop`: a namespace has no pods of its own. */
function namespaceAsKind(argument: string, name: string): CodedError {
  const namespace = findNameFault(name, 'label', { glob: true }) === undefined ? name : undefined;
  return sourceError(argument, { index: 0, problem: 'namespace-as-kind', namespace });
}

/** Throws a usage error if a value is not a valid namespace name. */
export function checkNamespace(name: string): void {
  const fault = findNameFault(name, 'label');
  if (fault !== undefined) throw resolveFailure('bad-namespace', { name, fault }, { exit: 'usage' });
}

const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/;

/**
 * Splits `kind`, `kind.group` and `kind.version.group` as kubectl does (the second part is a version only if it looks
 * like one: `v1`, `v2beta1`); `pods.v1.` and `pods.v1` name the core group.
 */
export function parseKind(text: string): KindName {
  const lower = text.toLowerCase();
  const dot = lower.indexOf('.');
  if (dot === -1) return { name: lower };
  const name = lower.slice(0, dot);
  const rest = lower.slice(dot + 1);
  const end = rest.indexOf('.');
  const maybeVersion = end === -1 ? rest : rest.slice(0, end);
  if (VERSION.test(maybeVersion)) {
    return { name, version: maybeVersion, group: end === -1 ? '' : rest.slice(end + 1) };
  }
  return { name, group: rest };
}

function findKindFault(text: string): SourceFault | undefined {
  if (text === '') return { index: 0, problem: 'no-kind' };
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (/^[A-Za-z0-9-]$/.test(character)) continue;
    if (character === '*') return { index, problem: 'glob-kind' };
    if (character === '.' && index > 0 && text[index - 1] !== '.') continue;
    return { index, problem: character === '.' ? 'dot-in-kind' : 'not-a-kind' };
  }
  return text.length > 253 ? { index: 253, problem: 'too-long', limit: 253 } : undefined;
}

function loneNameError(argument: string, start: number, name: string, fault: NameFault): CodedError {
  if (name === '') return sourceError(argument, { index: start, problem: 'no-resource' });
  const kind = sourceKindOf(name);
  const meant = kind === undefined ? undefined : { kind, source: `${argument.slice(0, start)}${kind}/*` };
  return sourceError(argument, moved(fault, start), meant);
}

/** Moves the fault of a part to its index in the whole argument. */
function moved(fault: SourceFault, by: number): SourceFault {
  return { ...fault, index: fault.index + by };
}

function sourceError(
  argument: string,
  fault: SourceFault,
  meant?: { readonly kind: string; readonly source: string },
): CodedError {
  return resolveFailure('bad-source', { argument, fault, meant }, { exit: 'usage' });
}

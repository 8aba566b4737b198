import { type LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import { caretUnder } from './caret.ts';
import { type Glob, makeGlob } from './glob.ts';
import { findNameFault, type NameFault } from './names.ts';
import { sourceKindOf } from './source-kinds.ts';

/** A kind as typed: `deploy`, `deployments.apps`, `deployments.v1.apps`. In small letters. */
export interface KindWord {
  readonly word: string;
  readonly version?: string | undefined;
  /** '' names the core group; undefined leaves the group open. */
  readonly group?: string | undefined;
}

/** One parsed source argument. */
export interface SourceSpec {
  readonly argument: string;
  /** Undefined: the default namespace. */
  readonly namespace?: Glob | undefined;
  /** Undefined: nothing but a name was given, which is a pod's. */
  readonly kind?: KindWord | undefined;
  readonly name: Glob;
  /** Undefined: the default container of each pod. */
  readonly container?: Glob | undefined;
}

/**
 * Reads `[namespace:]<resource>[/name[/container]]`. Throws a usage error that shows the argument with a caret under
 * the first wrong character. Whether a kind exists is not known here: resolution says that.
 */
export function parseSource(argument: string): SourceSpec {
  if (argument === '') throw sourceError(argument, 0, 'the source is empty');
  const start = argument.indexOf(':') + 1;
  const namespace = start === 0 ? undefined : parseNamespace(argument, start - 1);
  const [first = '', ...rest] = argument.slice(start).split('/');
  if (rest.length > 0) return { argument, namespace, ...parseResource(argument, start, [first, ...rest]) };
  const fault = findNameFault(first, 'subdomain', { glob: true });
  if (fault !== undefined) throw loneWordError(argument, start, first, fault);
  return { argument, namespace, name: makeGlob(first) };
}

function parseNamespace(argument: string, colon: number): Glob {
  const text = argument.slice(0, colon);
  const fault = findNameFault(text, 'label', { glob: true });
  if (fault !== undefined) throw sourceError(argument, fault.index, namespaceFault(fault, colon).why);
  const second = argument.indexOf(':', colon + 1);
  if (second !== -1) throw sourceError(argument, second, 'there can be only one namespace');
  return makeGlob(text);
}

/** `kind/name[/container]`, which begins at `start`. */
function parseResource(
  argument: string,
  start: number,
  [kind = '', name = '', container, ...others]: readonly string[],
): Pick<SourceSpec, 'kind' | 'name' | 'container'> {
  const nameAt = start + kind.length + 1;
  const containerAt = nameAt + name.length + 1;
  if (others.length > 0)
    throw sourceError(argument, containerAt + (container ?? '').length, 'nothing can follow a container');
  if (/^(?:ns|namespaces?)$/i.test(kind)) throw namespaceAsKind(argument, name);
  const kindFault = findKindFault(kind);
  if (kindFault !== undefined) throw sourceError(argument, start + kindFault.index, kindFault.why);
  const noName = `the name is missing; ${kind}/* means all of them`;
  const resource = { kind: parseKind(kind), name: parseGlob(argument, nameAt, name, 'subdomain', noName) };
  if (container === undefined) return resource;
  const noContainer = 'the container is missing; * means all of them';
  return { ...resource, container: parseGlob(argument, containerAt, container, 'label', noContainer) };
}

/** The part of the argument that begins at `at`; `whyEmpty`: what is wrong with it if it is empty. */
function parseGlob(
  argument: string,
  at: number,
  text: string,
  kind: 'subdomain' | 'label',
  whyEmpty: string,
): Glob {
  const fault = findNameFault(text, kind, { glob: true });
  if (fault === undefined) return makeGlob(text);
  throw text === ''
    ? sourceError(argument, at, whyEmpty)
    : sourceError(argument, at + fault.index, fault.why);
}

/** `ns/shop`: a namespace has no pods of its own to choose from. */
function namespaceAsKind(argument: string, name: string): LogtoolError {
  const next = `for all pods of a namespace: '${findNameFault(name, 'label', { glob: true }) === undefined ? name : 'NAME'}:pods/*'`;
  return sourceError(argument, 0, 'a namespace is not a source: it stands before a colon', next);
}

/** Throws the usage error of a value of --namespace that cannot be a namespace's name. */
export function checkNamespace(name: string): void {
  const fault = findNameFault(name, 'label');
  if (fault === undefined) return;
  throw usageError({
    code: 'bad-namespace',
    what: `"${printable(name)}" is not a namespace`,
    why: `${fault.why}:\n${caretUnder(name, fault.index)}`,
    next: name.includes('*')
      ? `namespaces by a pattern stand in the source: '${printable(name)}:deployments/*'`
      : 'kubectl get namespaces lists those there are',
  });
}

const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/;

/**
 * Splits `kind`, `kind.group` and `kind.version.group` as kubectl does (the second part is a version only when it
 * looks like one: `v1`, `v2beta1`); `pods.v1.` and `pods.v1` name the core group.
 */
export function parseKind(text: string): KindWord {
  const lower = text.toLowerCase();
  const dot = lower.indexOf('.');
  if (dot === -1) return { word: lower };
  const word = lower.slice(0, dot);
  const rest = lower.slice(dot + 1);
  const end = rest.indexOf('.');
  const maybeVersion = end === -1 ? rest : rest.slice(0, end);
  if (VERSION.test(maybeVersion)) {
    return { word, version: maybeVersion, group: end === -1 ? '' : rest.slice(end + 1) };
  }
  return { word, group: rest };
}

function findKindFault(text: string): NameFault | undefined {
  if (text === '') return { index: 0, why: 'the kind is missing; a pod is pods/NAME' };
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (/^[A-Za-z0-9-]$/.test(character)) continue;
    if (character === '*') return { index, why: '* cannot stand for a kind' };
    if (character === '.' && index > 0 && text[index - 1] !== '.') continue;
    return { index, why: character === '.' ? "a dot too many in the kind's name" : 'this is not a kind' };
  }
  return text.length > 253 ? { index: 253, why: 'at most 253 characters are allowed' } : undefined;
}

function namespaceFault(fault: NameFault, colon: number): NameFault {
  return colon === 0 ? { index: 0, why: 'the namespace before the colon is missing' } : fault;
}

function loneWordError(argument: string, start: number, word: string, fault: NameFault): LogtoolError {
  if (word === '') return sourceError(argument, start, 'a pod or kind/name is missing here');
  const kind = sourceKindOf(word);
  const next = kind === undefined ? undefined : `for all ${kind}: ${argument.slice(0, start)}${kind}/*`;
  return sourceError(argument, start + fault.index, fault.why, next);
}

function sourceError(argument: string, index: number, why: string, next?: string): LogtoolError {
  return usageError({
    code: 'bad-source',
    what: `"${printable(argument)}" is not a log source`,
    why: `${why}:\n${caretUnder(argument, index)}`,
    next:
      next ??
      'write [namespace:]pod or [namespace:]kind/name[/container], e.g. deployments/web or shop:web-0',
  });
}

function printable(argument: string): string {
  const short = argument.length > 80 ? `${argument.slice(0, 77)}...` : argument;
  return short.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '?');
}

import { caretUnder } from '../domain/caret.ts';
import type { NameFault } from '../domain/names.ts';
import type { ResolveFailures, SelectorProblem, SourceFault } from '../domain/resolve-failures.ts';
import { knownText, unknownMemberText } from './unknown-code.ts';

/** Returns the fault in a name. */
export function nameFaultText(fault: NameFault): string {
  switch (fault.problem) {
    case 'no-name':
      return 'a name is missing here';
    case 'glob':
      return '* is not allowed here';
    case 'capital':
      return 'capital letters are not allowed in Kubernetes names';
    case 'character':
      return `${characterText(fault.character)} is not allowed in Kubernetes names`;
    case 'dot':
      return "'.' is not allowed in this name";
    case 'hyphen-before-dot':
      return "'-' is not allowed before '.'";
    case 'begins-with':
      return `a name cannot begin with '${fault.character}'`;
    case 'ends-with':
      return `a name cannot end with '${fault.character}'`;
    case 'too-long':
      return `at most ${fault.limit} characters are allowed`;
    default:
      return unknownMemberText(fault satisfies never, 'problem');
  }
}

/** Returns the fault in a source argument, without its position. */
export function sourceFaultText(fault: SourceFault): string {
  switch (fault.problem) {
    case 'empty':
      return 'the source is empty';
    case 'no-namespace':
      return 'the namespace before the colon is missing';
    case 'second-namespace':
      return 'there can be only one namespace';
    case 'after-container':
      return 'nothing can follow a container';
    case 'no-container':
      return 'the container is missing; * means all of them';
    case 'no-kind':
      return 'the kind is missing; a pod is pods/NAME';
    case 'glob-kind':
      return '* is not allowed as a kind';
    case 'dot-in-kind':
      return "a dot too many in the kind's name";
    case 'not-a-kind':
      return 'this is not a kind';
    case 'no-resource':
      return 'a pod or kind/name is missing here';
    case 'no-name-of-kind':
      return `the name is missing; ${fault.kind}/* means all of them`;
    case 'namespace-as-kind':
      return 'a namespace is not a source: write it before a colon';
    case 'begins-with':
    case 'capital':
    case 'character':
    case 'dot':
    case 'ends-with':
    case 'glob':
    case 'hyphen-before-dot':
    case 'no-name':
    case 'too-long':
      return nameFaultText(fault);
    default:
      return unknownMemberText(fault satisfies never, 'problem');
  }
}

/** Returns the message for an invalid source: the position of the fault, and the correct form. */
export function badSourceText({ argument, fault, meant }: ResolveFailures['bad-source']) {
  return {
    what: `"${printable(argument)}" is not a log source`,
    why: `${sourceFaultText(fault)}:\n${caretUnder(argument, fault.index)}`,
    next: sourceAdvice(fault, meant),
  };
}

function sourceAdvice(fault: SourceFault, meant: ResolveFailures['bad-source']['meant']): string {
  if (fault.problem === 'namespace-as-kind')
    return `for all pods of a namespace: '${fault.namespace ?? 'NAME'}:pods/*'`;
  if (meant !== undefined) return `for all ${meant.kind}: ${meant.source}`;
  return 'write [namespace:]pod or [namespace:]kind/name[/container], e.g. deployments/web or shop:web-0';
}

/** Returns the message for an invalid namespace name, and what the user may have meant. */
export function badNamespaceText({ name, fault }: ResolveFailures['bad-namespace']) {
  return {
    what: `"${printable(name)}" is not a namespace`,
    why: `${nameFaultText(fault)}:\n${caretUnder(name, fault.index)}`,
    next: name.includes('*')
      ? `to match namespaces by pattern, write it in the source: '${printable(name)}:deployments/*'`
      : 'kubectl get namespaces lists those that exist',
  };
}

/** Returns where and why a label selector is wrong. */
export function selectorFaultText({ text, index, problem }: ResolveFailures['bad-selector']): string {
  return `${knownText(SELECTOR_PROBLEMS, problem)}:\n${caretUnder(text, index)}`;
}

const SELECTOR_PROBLEMS: Readonly<Record<SelectorProblem, string>> = {
  'no-comma': "',' is missing here",
  'no-key': 'a label key is missing here',
  'not-a-key': 'this is not a label key',
  'not-a-value': 'this is not a label value',
  'no-number': 'a whole number is missing here',
  'no-opening': "'(' is missing here",
  'no-closing': "')' is missing here",
};

function characterText(character: string): string {
  if (character === ' ') return 'a blank';
  return /^[\p{Cc}\p{Cf}\p{Cs}\p{Z}]$/u.test(character)
    ? `the character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `'${character}'`;
}

function printable(argument: string): string {
  const short = argument.length > 80 ? `${argument.slice(0, 77)}...` : argument;
  return short.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '?');
}

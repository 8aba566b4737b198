import { compileRegexp } from '../functions/sprig/text/go-regexp.ts';
import { GoError } from '../template/errors.ts';
import { quoteRune } from '../value/quote.ts';
import { emailProblem, hostnameProblem, ipv4Problem, ipv6Problem } from './address-formats.ts';
import { strangeCharacter } from './format-problem.ts';
import { dateProblem, dateTimeProblem, durationProblem, periodProblem, timeProblem } from './time-formats.ts';
import { uriProblem, uriReferenceProblem, uriTemplateProblem } from './uri-formats.ts';

/**
 * Every `format` of Helm 4's validator (github.com/santhosh-tekuri/jsonschema/v6), with a function that returns the
 * problem of a text in its wording; undefined if the text is valid. Other formats are annotations.
 */
export const FORMAT_PROBLEMS: ReadonlyMap<string, (text: string) => string | undefined> = new Map([
  ['json-pointer', pointerProblem],
  ['relative-json-pointer', relativePointerProblem],
  ['uuid', uuidProblem],
  ['semver', semverProblem],
  ['regex', patternProblem],
  ['ipv4', ipv4Problem],
  ['ipv6', ipv6Problem],
  ['hostname', hostnameProblem],
  ['email', emailProblem],
  ['date', dateProblem],
  ['time', timeProblem],
  ['date-time', dateTimeProblem],
  ['duration', durationProblem],
  ['period', periodProblem],
  ['uri', uriProblem],
  ['iri', uriProblem],
  ['uri-reference', uriReferenceProblem],
  ['iri-reference', uriReferenceProblem],
  ['uri-template', uriTemplateProblem],
]);

function patternProblem(text: string): string | undefined {
  try {
    compileRegexp(text);
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

/** Checks RFC 6901 section 3. */
function pointerProblem(text: string): string | undefined {
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'not starting with /';
  return /~(?![01])/.test(text) ? '~ must be followed by 0 or 1' : undefined;
}

function relativePointerProblem(text: string): string | undefined {
  const digits = /^\d*/.exec(text)![0];
  if (digits === '') return 'must start with non-negative integer';
  if (digits.length > 1 && digits.startsWith('0')) return 'starts with zero';
  const rest = text.slice(digits.length);
  return rest === '#' ? undefined : pointerProblem(rest);
}

/** Checks RFC 4122 section 3. */
function uuidProblem(text: string): string | undefined {
  const lengths = [8, 4, 4, 4, 12];
  const groups = text.split('-');
  if (groups.length !== lengths.length) return `must have ${lengths.length} elements`;
  for (const [at, group] of groups.entries()) {
    if (Buffer.byteLength(group) !== lengths[at])
      return `element ${at + 1} must be ${lengths[at]} characters long`;
    const strange = [...group].find((character) => !/[0-9a-fA-F]/.test(character));
    if (strange !== undefined) return `non-hex character ${quoteRune(strange.codePointAt(0)!)}`;
  }
  return undefined;
}

/** Checks https://semver.org/. */
function semverProblem(text: string): string | undefined {
  const [, core = '', preRelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text) ?? [];
  if (build === '') return 'build is empty';
  return (
    identifiersProblem(build, 'build') ??
    identifiersProblem(preRelease, 'pre-release') ??
    coreProblem(core.split('.'))
  );
}

function identifiersProblem(text: string | undefined, kind: 'build' | 'pre-release'): string | undefined {
  for (const label of text?.split('.') ?? []) {
    if (label === '') return `${kind} identifier is empty`;
    const strange = strangeCharacter(label, /[\dA-Za-z-]/, ` in ${kind} identifier`);
    if (strange !== undefined) return strange;
    if (kind === 'pre-release' && /^0\d+$/.test(label))
      return 'pre-release numeric identifier starts with zero';
  }
  return undefined;
}

function coreProblem(numbers: readonly string[]): string | undefined {
  if (numbers.length !== 3) return 'versionCore must have 3 numbers separated by dot';
  for (const [at, number] of numbers.entries()) {
    const name = ['major', 'minor', 'patch'][at];
    if (number === '') return `${name} is empty`;
    if (number.length > 1 && number.startsWith('0')) return `${name} starts with zero`;
    if (!/^\d+$/.test(number)) return `${name} contains non-digit`;
  }
  return undefined;
}

import type { ImageFault } from '@logtool/kube/src/values/image-reference.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { querySizeText, SMALLER_PATTERNS } from '../../messages/filter.ts';
import { nameFaultText } from '../../messages/sources.ts';
import type { ValueFailures } from '../failures.ts';
import type { BadValue } from './cli-error.ts';
import type { Message } from './message.ts';

/** Why a value is wrong and what to write instead; `written` is the flag, variable or key. */
const WHY_AND_NEXT: {
  readonly [C in keyof ValueFailures]: (data: ValueFailures[C], written: string) => Omit<Message, 'what'>;
} = {
  'bad-boolean': (_, written) => ({
    why: 'it is neither true nor false',
    next: `write ${written}=true or =false`,
  }),
  'count-negative': ({ example }, written) => ({
    why: 'a count cannot be negative',
    // In kubectl and stern, a negative count means all records.
    next: `${countText(written, example)}${written.startsWith('--tail') ? '; for all records: --all' : ''}`,
  }),
  'count-not-integer': ({ example }, written) => ({
    why: 'it is not a whole number',
    next: countText(written, example),
  }),
  'count-too-large': () => ({ why: 'it is above 2^53', next: 'use --all for every record' }),
  'count-zero': (_, written) => ({
    why: 'with 0, logtool could not read anything',
    next: `write ${written}=1 or more`,
  }),
  'bad-size': () => ({
    why: 'it is not a size in bytes',
    next: 'write a size such as 64MiB, 1GiB or 0',
  }),
  'bad-choice': ({ choices, near, list, advice }, written) => ({
    why: `it must be ${list === undefined ? 'one' : 'a list'} of ${choices.join(', ')}`,
    next: advice ?? (near === undefined ? `write ${written}=${list ?? choices[0]}` : `did you mean ${near}?`),
  }),
  'empty-list': (_, written) => ({
    why: 'the list is empty',
    next: `write ${written}=VALUE, or leave it out`,
  }),
  'empty-value': ({ example }, written) => ({
    why: 'the value is empty',
    next: `write ${written}=${example}`,
  }),
  'unknown-column': ({ columns, near }) => ({
    why: `there is no such column${near === undefined ? '' : `; did you mean ${near}?`}`,
    next: `the columns are ${columns.join(', ')}`,
  }),
  'bad-duration': ({ limits, examples: [first, second] }, written) => ({
    why: `it is not a duration${limits === undefined ? '' : ` ${limits}`}`,
    next: `write ${written}=${first} or =${second}`,
  }),
  'bad-timezone': () => ({
    why: 'there is no time zone of that name',
    next: 'write utc, local or a name such as Europe/Berlin',
  }),
  'bad-field-selector': () => ({
    why: 'it is not a list of FIELD=VALUE or FIELD!=VALUE',
    next: 'write --field-selector=status.phase=Running,spec.nodeName=NODE',
  }),
  'bad-name': (fault, written) => ({
    why: `${nameFaultText(fault)}; write a list of names, in which * matches any text`,
    next: `write ${written}=app,log-*`,
  }),
  'bad-namespace': (fault, written) => ({ why: nameFaultText(fault), next: `write ${written}=shop,web` }),
  'bad-image': (fault, written) => ({
    why: imageFaultText(fault),
    next: `write [REGISTRY/]REPOSITORY[:TAG][@DIGEST], such as ${written}=ghcr.io/logtool/logtool:0.2.0`,
  }),
  'bad-pattern': ({ why }) => ({
    why: `it is not a regular expression: ${why}`,
    next: 'write it in RE2 syntax, the regular expressions of Go',
  }),
  'bad-field': (_, written) => ({
    why: 'it has no key and value',
    next: `write ${written}=status=503, ${written}=user.id!=42 or ${written}='duration_ms>=500'`,
  }),
  'bad-field-number': () => ({
    why: '< and > compare with a number',
    next: 'write a number, or = to compare with a text',
  }),
  'pattern-too-large': (size) => ({ why: querySizeText(size), next: SMALLER_PATTERNS }),
  'bad-host': () => ({
    why: 'it is neither a host name nor an address',
    next: 'write --host=localhost',
  }),
  'bad-http-address': (_, written) => ({
    why: 'it is not a port of this machine: whoever reaches it could read logs',
    next: `write ${written}=127.0.0.1:7700, or 127.0.0.1:0 for any port`,
  }),
  'bad-port': ({ max, next }) => ({ why: `the highest port is ${max}`, next }),
  'metrics-port-taken': (_, written) => ({
    why: 'the dashboard listens on that port',
    next: `write ${written}=9464`,
  }),
  'bad-api-address': (_, written) => ({
    why: 'it is not a host and a port',
    next: `write ${written}=logtool-api.logtool.svc:443`,
  }),
  'bad-allowed-host': () => ({
    why: 'it is not a host name, with or without a port',
    next: 'write --allowed-host=logs.example.com or --allowed-host=logs.example.com:8443',
  }),
  'bad-base-path': () => ({
    why: 'it must begin with a slash, and have only letters, digits, and - . _ ~',
    next: 'write --base-path=/logs',
  }),
  'empty-format': ({ example }) => ({ why: 'the format is empty', next: `write ${example}` }),
  'bad-format': ({ brace, position }) => ({
    why: `the ${brace} at character ${position} has no matching brace`,
    next: `write ${brace}${brace} for the character itself`,
  }),
  'unknown-field': ({ name, fields, near }) => ({
    why: `there is no field {${sanitizeText(name.slice(0, 80))}}${near.length === 0 ? '' : `; did you mean ${near.map((each) => `{${each}}`).join(' or ')}?`}`,
    next: `the fields are ${fields.join(', ')}`,
  }),
  'time-without-zone': ({ text }) => ({
    why: 'without a zone the time is ambiguous',
    next: `add Z for UTC or an offset: ${text.slice(0, 40)}Z, ${text.slice(0, 40)}+01:00`,
  }),
  'time-date-only': ({ text }) => ({ why: 'it is a date without a time', next: `write ${text}T00:00:00Z` }),
  'time-out-of-range': ({ takes }) => ({
    why: 'it is outside the years 1 to 9999',
    next: TIME_ADVICE[takes],
  }),
  'time-malformed': ({ takes }) => ({
    why: TIME_KINDS[takes],
    next: TIME_ADVICE[takes],
  }),
  'duration-not-allowed': ({ text, instead }) => ({
    why: 'only --since and --until take a duration',
    next: `use ${instead}=${text.slice(0, 40)}, or write a time such as ${TIME_EXAMPLE}`,
  }),
  'duration-calendar': () => ({
    why: 'years and months vary in length',
    next: 'use weeks, days or hours: P4W, P30D, PT720H',
  }),
  'duration-negative': () => ({
    why: 'a duration already counts back from now',
    next: 'leave out the minus, or write a time',
  }),
  'cursor-not-allowed': () => ({
    why: 'only --after and --before take a cursor',
    next: 'use --after to continue after a cursor, --before to end at one',
  }),
};

/** Messages start with the given value, shortened. */
export const VALUE_MESSAGES: Readonly<Record<string, (data: never) => Message>> = Object.fromEntries(
  Object.entries(WHY_AND_NEXT).map(([code, textsOf]) => [
    code,
    ({ value = '', written, fault }: BadValue<never>): Message => {
      const shown = value === '' ? '(empty)' : sanitizeText(value.slice(0, 200));
      return { what: `bad value of ${written}: ${shown}`, ...textsOf(fault, written) };
    },
  ]),
);

function imageFaultText(fault: ImageFault): string {
  switch (fault.problem) {
    case 'digest':
      return 'its digest is not sha256: and 64 hexadecimal digits in lower case';
    case 'image-id':
      return 'it looks like an image ID, which registries do not accept';
    case 'name-too-long':
      return `its name has more than ${fault.limit} characters`;
    case 'registry':
      return `${fault.registry} cannot be a registry`;
    case 'repository':
      return 'a repository has lower-case letters and digits, with ".", "_" or "-" between them and "/" between parts';
    case 'second-digest':
      return 'it has more than one @';
    case 'tag':
      return 'its tag is not 1 to 128 letters, digits, "_", "." and "-"';
  }
}

const TIME_EXAMPLE = '2026-11-21T10:00:00Z or 2026-11-21T10:00:00+01:00';
const TIME_KINDS = {
  durations: 'it is neither a time with a zone nor a duration',
  cursors: 'it is neither a time with a zone nor a cursor',
} as const;
const TIME_ADVICE = {
  durations: `write a time such as ${TIME_EXAMPLE}, or a duration such as 30m or 1d`,
  cursors: `write a time such as ${TIME_EXAMPLE}, or a cursor`,
} as const;

function countText(written: string, example: number): string {
  return `write a whole number, such as ${written.includes(' ') ? '' : `${written}=`}${example}`;
}

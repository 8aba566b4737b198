import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { FlagSuggestion, UsageFailures } from '../failures.ts';
import { adviceForFlag } from '../flags/other-tools.ts';
import type { Messages } from './message.ts';

export const USAGE_MESSAGES: Messages<UsageFailures> = {
  'unknown-command': ({ name, commands, near }) => ({
    what: `unknown command ${sanitizeText(name)}`,
    why: `the commands are ${commands.join(', ')}`,
    next: near === undefined ? 'see: logtool --help' : `did you mean: logtool ${near}?`,
  }),
  'needs-subcommand': ({ name }) => ({
    what: `${name} needs a subcommand`,
    why: `logtool ${name} does nothing by itself`,
    next: `see: logtool ${name} --help`,
  }),
  'unexpected-argument': ({ command, operand, max }) => ({
    what: `unexpected argument ${sanitizeText(operand)}`,
    why: `logtool ${command} takes ${max === 0 ? 'no arguments' : `at most ${max}`}`,
    next: `see: logtool ${command} --help`,
  }),
  'no-shell': ({ shells }) => ({
    what: 'name a shell',
    why: `logtool completes for ${shells.join(', ')}`,
    next: 'see: logtool completion --help',
  }),
  'unknown-shell': ({ name, shells, near }) => ({
    what: `no completion for ${sanitizeText(name)}`,
    why: `logtool completes for ${shells.join(', ')}`,
    next: near === undefined ? 'see: logtool completion --help' : `did you mean: logtool completion ${near}?`,
  }),
  'unknown-flag': ({ command, written, suggestion }) => ({
    what: `unknown flag ${sanitizeText(written)}`,
    why: `logtool${command === '' ? '' : ` ${command}`} has no such flag`,
    next: adviceForFlag(command, written) ?? suggestionText(suggestion, command, written),
  }),
  'flag-needs-value': ({ command, written }) => ({
    what: `${written} needs a value`,
    why: 'it has none',
    next: `see: logtool${command === '' ? '' : ` ${command}`} --help`,
  }),
  'letter-needs-number': ({ written, name, doc, advice }) => ({
    what: `${written} needs a number`,
    why: `${written} is --${name}: ${doc}`,
    next: `write ${written} 3, or for ${advice}`,
  }),
  'exclusive-selection': ({ written }) => ({
    what: `${written.join(' and ')} exclude each other`,
    why: `${written.includes('--first') ? '--first, --head' : '--head'}, --tail and --all each set how many records to show`,
    next: 'keep one of them',
  }),
  'exclusive-start': (flags) => exclusiveBounds(flags, 'where the window begins'),
  'exclusive-end': (flags) => exclusiveBounds(flags, 'where the window ends'),
  'exclusive-namespaces': ({ written }) => ({
    what: `--all-namespaces and ${written} exclude each other`,
    why: 'both set the namespaces of sources that name none',
    next: 'keep one of them',
  }),
  'exclusive-format': ({ written }) => ({
    what: `--format and ${written} exclude each other`,
    why: 'each sets the form of a record',
    next: 'keep one of them',
  }),
  'exclusive-context': ({ page, written }) => ({
    what: `${page} and ${written} exclude each other`,
    why: 'the context of a match can lie on another page',
    next: `leave out ${page} or ${written}`,
  }),
  'exclusive-group': ({ other, written }) => ({
    what: `${other} and ${written} exclude each other`,
    why: 'logtool shows a record of several lines whole, without other lines, and it can extend beyond a page',
    next: `leave out ${other} or ${written}`,
  }),
  'exclusive-count': ({ written }) => ({
    what: `--count and ${written} exclude each other`,
    why: '--count reads the whole range and shows no records',
    next: `leave out --count or ${written}; --since, --until and filters choose what it counts`,
  }),
  'events-with-raw': ({ written, raw }) => ({
    what: `${written} and ${raw} exclude each other`,
    why: `${raw} prints only the bytes of messages, and events are rows of their own`,
    next: `leave out ${written} or ${raw}`,
  }),
  'bucket-without-count': ({ written }) => ({
    what: `${written} has no effect without --count`,
    why: 'only counts have buckets of time',
    next: `add --count, or leave out ${written}`,
  }),
  'raw-with-json': ({ written, format }) => ({
    what: `--raw and ${written} ${format} exclude each other`,
    why: 'raw output is only the messages',
    next: 'leave one of them out',
  }),
  'columns-without-effect': ({ written, by, format }) => ({
    what: `${written} has no effect with ${by}`,
    why: WITHOUT_COLUMNS[format],
    next: `leave out ${written} or ${by}`,
  }),
  'fields-without-pretty': ({ written }) => ({
    what: `${written} has no effect without -o pretty`,
    why: 'only this output takes lines apart into fields',
    next: `add -o pretty, or leave out ${written}`,
  }),
  'follow-with-end': ({ follow, end }) => ({
    what: `${follow} and ${end} exclude each other`,
    why: `${follow} streams new records, and ${end} ends the window`,
    next: 'leave one of them out',
  }),
  'follow-with-head': ({ follow, head }) => ({
    what: `${follow} and ${head} exclude each other`,
    why: `${follow} continues after the last record, and ${head} stops after the first ones`,
    next: 'use --tail=N or --all with --follow',
  }),
  'follow-with-previous': ({ follow, previous }) => ({
    what: `${follow} and ${previous} exclude each other`,
    why: 'a run that ended gets no new records',
    next: 'leave one of them out; --follow shows the run before a restart anyway',
  }),
  'backend-with-rotated': ({ backend, rotated }) => ({
    what: `${backend} and ${rotated} exclude each other`,
    why: 'the agents read the rotated files of their nodes in any case',
    next: 'leave one of them out',
  }),
  'follow-with-rotated': ({ follow, rotated }) => ({
    what: `${follow} and ${rotated} exclude each other`,
    why: 'a rotated file gets no new records',
    next: 'use --rotated=auto, or leave one of them out',
  }),
  'empty-window': ({ start, end }) => ({
    what: `the window from ${start.written} to ${end.written} is empty`,
    why: `${start.written}=${start.value} is not before ${end.written}=${end.value}`,
    next: 'swap the two, or leave one of them out',
  }),
  'grep-needs-force': () => ({
    what: '--grep needs --force',
    why: 'it reads every record over the network and filters on this machine',
    next: 'add --force; --since, --level, --tail=N with `| grep`, or fewer sources cost less',
  }),
  'context-needs-filter': ({ written }) => ({
    what: `${written} needs --grep, --level or --where`,
    why: 'without a filter there are no matches to show the context of',
    next: 'add --grep RE --force, --level LIST or --where FIELD',
  }),
  'in-cluster-with-kubeconfig': ({ written }) => ({
    what: `--in-cluster and ${written} exclude each other`,
    why: '--in-cluster uses the service account of the pod, not a kubeconfig',
    next: 'leave one of them out',
  }),
  'as-needed': ({ written }) => ({
    what: `${written} needs --as`,
    why: 'the cluster accepts a group or a UID only together with a user to act as',
    next: 'add --as NAME',
  }),
  'auth-needed': ({ host, inCluster }) => ({
    what: `the dashboard does not listen on ${host} without --auth`,
    why: 'everyone who reaches it could read all logs that your credentials can',
    next: `give --auth ${inCluster ? 'kubernetes' : 'token'}; or --auth none, if all who reach it may read them`,
  }),
  'session-key-file-without-kubernetes': ({ written, auth }) => ({
    what: `${written} has no effect with --auth ${auth}`,
    why: 'only --auth kubernetes seals sessions with keys',
    next: `add --auth kubernetes, or leave out ${written}`,
  }),
  'value-set-twice': ({ flag, key, keys }) => ({
    what: `${flag} and --set ${key} exclude each other`,
    why: `${flag} sets ${keys.join(', ')} of the chart`,
    next: 'leave one of them out',
  }),
  'value-of-other-chart': ({ flag, chart, own }) => ({
    what: `${flag} does not work with the chart ${chart}`,
    why: `it sets values of the chart ${own}`,
    next: `set the values of ${chart} instead: --set KEY=VALUE`,
  }),
  'chart-unreadable': ({ path, why }) => ({
    what: `cannot read the chart ${path}`,
    why,
    next: 'check the path given with --chart',
  }),
  'values-file-unreadable': ({ file, why, isDownloaded }) => ({
    what: `cannot read the values file ${file}`,
    why,
    next: isDownloaded
      ? 'check the address, or download the file and give its path'
      : 'check the path given with --values',
  }),
  'password-unreadable': ({ why }) => ({
    what: 'cannot read the password from standard input',
    why,
    next: 'give it on one line: echo "$PASSWORD" | logtool cluster repo add ... --password-stdin',
  }),
};

const WITHOUT_COLUMNS = {
  raw: 'raw output is only the messages',
  json: 'each JSON object has all fields',
  pretty: 'each line has its level, its time and the name of its pod',
  template: 'the format itself names the fields of each line',
} as const;

function exclusiveBounds(
  { inclusive, strict }: { readonly inclusive: string; readonly strict: string },
  what: string,
) {
  return {
    what: `--${inclusive} and --${strict} exclude each other`,
    why: `both set ${what}: --${inclusive} includes its time point, --${strict} does not`,
    next: 'keep one of them',
  };
}

function suggestionText(suggestion: FlagSuggestion, command: string, written: string): string {
  switch (suggestion.kind) {
    case 'near':
      return `did you mean --${suggestion.name}${suggestion.value === undefined ? '' : `=${suggestion.value}`}?`;
    case 'after-command':
      return `write it after the command, as in: logtool logs SOURCE ${written}`;
    case 'none':
      return command === '' ? 'see: logtool --help' : `see: logtool ${command} --help`;
  }
}

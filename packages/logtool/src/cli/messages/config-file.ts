import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { whyText } from '../../messages/problems.ts';
import type { ConfigFailures } from '../failures.ts';
import type { Messages } from './message.ts';

export const CONFIG_MESSAGES: Messages<ConfigFailures> = {
  'config-not-found': ({ path }) => ({
    what: `cannot read the configuration file ${path}`,
    why: 'there is no such file',
    next: `write one: logtool config init --path ${path}`,
  }),
  'config-unreadable': ({ path, why, isForbidden }) => ({
    what: `cannot read the configuration file ${path}`,
    why: whyText(why),
    next: isForbidden
      ? 'give yourself permission to read it, or name another one with --config'
      : 'name another file with --config',
  }),
  'config-invalid': ({ position, why, rewrite }) => ({
    what: `${position}: cannot read the configuration file`,
    why: sanitizeText(why),
    next: `correct it, or write a new file: ${rewrite}`,
  }),
  'config-version': ({ position, version, known, rewrite }) => ({
    what: `${position}: unknown version ${version} of the configuration file`,
    why: `this logtool reads version ${known}`,
    next: `use a logtool that reads version ${sanitizeText(String(version))}, or write a new file: ${rewrite}`,
  }),
  'config-unknown-key': ({ position, key, keys, near }) => ({
    what: `${position}: unknown key ${sanitizeText(key)}`,
    why: 'the configuration file has no such key',
    next: near === undefined ? `the keys are ${keys.join(', ')}` : `did you mean ${near}?`,
  }),
  'config-not-a-section': ({ position, path, keys }) => ({
    what: `${position}: ${path === '' ? 'the file as a whole' : path} must be a mapping`,
    why: 'it is a single value, not a mapping of keys to values',
    next: `the keys are ${keys.join(', ')}`,
  }),
  'config-wrong-type': ({ position, key, wanted, doc, default: standard }) => ({
    what: `${position}: bad value of ${key}`,
    why: `it must be ${wanted}`,
    next: `${doc}; its default is ${JSON.stringify(standard)}`,
  }),
  'config-unknown-column': ({ position, key, name, columns, near }) => ({
    what: `${position}: ${key}: unknown column ${sanitizeText(name)}`,
    why: `the columns are ${columns.join(', ')}`,
    next: near === undefined ? 'write one of these' : `did you mean ${near}?`,
  }),
  'config-file-exists': ({ path }) => ({
    what: `${path} already exists`,
    why: 'config init overwrites a file only with --force',
    next: 'give --force to overwrite it, or --path for another place',
  }),
  'config-format-mismatch': ({ path, named, format }) => ({
    what: `${sanitizeText(path)} cannot hold ${format}`,
    why: `logtool reads a file of this name as ${named}`,
    next: `give another name, or leave out --format ${format}`,
  }),
};

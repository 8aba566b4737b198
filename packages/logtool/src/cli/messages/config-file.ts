import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
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
    why,
    next: isForbidden
      ? 'give yourself permission to read it, or name another one with --config'
      : 'name another file with --config',
  }),
  'config-invalid': ({ place, why, rewrite }) => ({
    what: `${place}: cannot read the configuration file`,
    why: sanitizeText(why),
    next: `correct it, or write a new one: ${rewrite}`,
  }),
  'config-version': ({ place, version, known, rewrite }) => ({
    what: `${place}: unknown version ${version} of the configuration file`,
    why: `this logtool reads version ${known}`,
    next: `use a logtool that fits the file, or write a new one: ${rewrite}`,
  }),
  'config-unknown-key': ({ place, key, keys, near }) => ({
    what: `${place}: unknown key ${sanitizeText(key)}`,
    why: 'the configuration file has no such key',
    next: near === undefined ? `the keys are ${keys.join(', ')}` : `did you mean ${near}?`,
  }),
  'config-not-a-section': ({ place, path, keys }) => ({
    what: `${place}: ${path === '' ? 'the file as a whole' : path} must be a mapping`,
    why: 'it is a value, where keys with values of their own belong',
    next: `the keys are ${keys.join(', ')}`,
  }),
  'config-wrong-type': ({ place, key, wanted, doc, default: standard }) => ({
    what: `${place}: bad value of ${key}`,
    why: `it must be ${wanted}`,
    next: `${doc}; its default is ${JSON.stringify(standard)}`,
  }),
  'config-unknown-column': ({ place, key, name, columns, near }) => ({
    what: `${place}: ${key}: unknown column ${sanitizeText(name)}`,
    why: `the columns are ${columns.join(', ')}`,
    next: near === undefined ? 'write one of these' : `did you mean ${near}?`,
  }),
  'config-file-exists': ({ path }) => ({
    what: `${path} exists already`,
    why: 'config init overwrites a file only when asked to',
    next: 'give --force to overwrite it, or --path for another place',
  }),
  'config-format-mismatch': ({ path, named, format }) => ({
    what: `${sanitizeText(path)} cannot hold ${format}`,
    why: `logtool reads a file of this name as ${named}`,
    next: `give another name, or leave out --format ${format}`,
  }),
};

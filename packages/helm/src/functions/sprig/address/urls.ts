import { GoError } from '../../../template/errors.ts';
import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';
import { kindOf } from '../../../value/type.ts';
import type { Value, ValueMap } from '../../../value/value.ts';
import { type GoUrl, hostname, latinOf, parseUrl, writeUrl, writeUser } from './go-url.ts';
import { textOfLatin } from './url-escape.ts';

function prefixed<Result>(prefix: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`${prefix}: ${error.message}`);
    throw error;
  }
}

const URL_PARSE = goFunction(['string'], 'map[string]interface {}', (call, text) => {
  call.charge(text.length);
  const url = prefixed('unable to parse url', () => parseUrl(text));
  return new Map<string, Value>(
    Object.entries({
      scheme: url.scheme,
      host: url.host,
      hostname: hostname(url.host),
      path: url.path,
      query: url.query,
      opaque: url.opaque,
      fragment: url.fragment,
      userinfo: url.user === undefined ? '' : writeUser(url.user),
    }).map(([key, latin]) => [key, textOfLatin(latin)]),
  );
});

function fieldOf(dict: ValueMap, key: string): string {
  const value = dict.get(key);
  if (value === undefined) return '';
  if (value === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  if (typeof value === 'string') return latinOf(value);
  throw new GoError(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
}

function userOf(userinfo: string): GoUrl['user'] {
  if (userinfo === '') return undefined;
  return prefixed('unable to parse userinfo in dict', () => parseUrl(`proto://${textOfLatin(userinfo)}@host`))
    .user;
}

const URL_JOIN = goFunction(['map[string]interface {}'], 'string', (call, dict) => {
  const url = {
    scheme: fieldOf(dict, 'scheme'),
    host: fieldOf(dict, 'host'),
    path: fieldOf(dict, 'path'),
    query: fieldOf(dict, 'query'),
    opaque: fieldOf(dict, 'opaque'),
    fragment: fieldOf(dict, 'fragment'),
  };
  const written = writeUrl({ ...url, user: userOf(fieldOf(dict, 'userinfo')) });
  call.charge(written.length);
  return textOfLatin(written);
});

/** Sprig's URL functions: http://masterminds.github.io/sprig/url.html */
export const URL_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['urlParse', URL_PARSE],
  ['urlJoin', URL_JOIN],
]);

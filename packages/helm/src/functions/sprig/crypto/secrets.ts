import { encodeBase64 as encodeSalt, hashSync } from 'bcryptjs';
import {
  type FunctionCall,
  type FunctionTable,
  type GoFunction,
  goFunction,
} from '../../../template/function.ts';
import { byteLength } from '../../../value/bytes.ts';
import { decryptAes, encryptAes } from './aes.ts';
import { derivePassword } from './derive-password.ts';

/** Password hashes are slow on purpose: each counts as this much text. */
const HASH_COST = 2 ** 17;
const BCRYPT_ROUNDS = 10;
const BCRYPT_MAX_BYTES = 72;

function bcrypt(call: FunctionCall, password: string): string {
  if (byteLength(password) > BCRYPT_MAX_BYTES)
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  call.charge(HASH_COST);
  return hashSync(password, `$2a$${BCRYPT_ROUNDS}$${encodeSalt(call.randomBytes(16), 16)}`);
}

/** Sprig's password and cipher functions: http://masterminds.github.io/sprig/crypto.html */
export const SECRET_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['bcrypt', goFunction(['string'], 'string', (call, password) => bcrypt(call, password))],
  [
    'htpasswd',
    goFunction(['string', 'string'], 'string', (call, user, password) =>
      user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(call, password)}`,
    ),
  ],
  [
    'derivePassword',
    goFunction(
      ['uint32', 'string', 'string', 'string', 'string'],
      'string',
      (call, counter, kind, password, user, site) => {
        call.charge(HASH_COST);
        return (
          derivePassword(Number(counter.value), kind, password, user, site) ??
          `cannot find password template ${kind}`
        );
      },
    ),
  ],
  [
    'encryptAES',
    goFunction(['string', 'string'], 'string', (call, password, text) => {
      call.charge(text.length * 2);
      return encryptAes(password, text, call.randomBytes(16));
    }),
  ],
  [
    'decryptAES',
    goFunction(['string', 'string'], 'string', (call, password, text) => {
      call.charge(text.length);
      return decryptAes(password, text);
    }),
  ],
]);

import { objectField, textField } from '../config/fields.ts';
import { InvalidField, withinField } from '../config/invalid-field.ts';
import type { Entry } from '../config/kubeconfig.ts';
import { loadKubeconfig } from '../config/load.ts';
import { LogtoolError } from '../values/errors.ts';
import type { CredentialContext } from './choose.ts';
import type { Credential, Grant } from './credential.ts';
import { headerValue } from './header-value.ts';
import { jwtExpiryMs } from './jwt-expiry.ts';
import { refreshFailed, refreshTokens } from './oidc-refresh.ts';
import { readData } from './read-data.ts';
import { saveAuthProviderConfig } from './save-tokens.ts';
import { singleFlight } from './single-flight.ts';

/** A token this close to its end is not sent: the server's clock may be ahead (client-go's expiryDelta). */
const EXPIRY_MARGIN_MS = 10_000;

/**
 * The auth-provider `oidc`: the id-token while it is good, else a new one by the refresh-token; what is new goes back
 * into the kubeconfig, as kubectl does it. Throws InvalidField; the credential throws LogtoolError
 * `oidc-refresh-failed`.
 */
export function oidcCredential(user: Entry, context: CredentialContext): Credential {
  const config = withinField(['auth-provider'], () =>
    objectField(objectField(user.fields, 'auth-provider'), 'config'),
  );
  const get = (name: string) => withinField(['auth-provider', 'config'], () => textField(config, name));
  const issuer = get('idp-issuer-url');
  const clientId = get('client-id');
  const clientSecret = get('client-secret');
  let idToken = get('id-token');
  let refreshToken = get('refresh-token');
  let current: Grant | undefined;

  const isGood = (token: string) => {
    const expiry = jwtExpiryMs(token);
    return token !== '' && expiry !== undefined && expiry - EXPIRY_MARGIN_MS > context.clock.now();
  };

  const flight = singleFlight(async (signal) => {
    // Another program may have renewed meanwhile: its tokens are in the file, and ours may be worthless since.
    const stored = await storedTokens(user);
    if (stored.refreshToken !== '') refreshToken = stored.refreshToken;
    if (stored.idToken !== idToken && isGood(stored.idToken)) {
      idToken = stored.idToken;
      current = grantOf(idToken);
      return current;
    }
    if (refreshToken === '')
      throw refreshFailed(issuer, 'the id-token is no longer good, and there is no refresh-token');
    if (issuer === '' || clientId === '')
      throw refreshFailed(issuer, 'idp-issuer-url or client-id is not set');
    const ca = await readData({ ...user, fields: config }, 'idp-certificate-authority');
    const tokens = await refreshTokens(
      { issuer, clientId, clientSecret, refreshToken, ca, env: context.env, clock: context.clock },
      signal,
    );
    idToken = tokens.idToken;
    refreshToken = tokens.refreshToken ?? refreshToken;
    current = grantOf(idToken);
    await saveAuthProviderConfig(
      user,
      { 'id-token': idToken, 'refresh-token': refreshToken },
      context.clock,
    ).catch((error: unknown) =>
      context.onNotice({
        code: 'oidc-tokens-not-saved',
        text: `the new OIDC tokens of ${user.name} could not be saved in ${user.file} (${error instanceof Error ? error.message : error}); the next start may ask you to log in again`,
      }),
    );
    return current;
  });

  return {
    async grant(signal) {
      if (!isGood(idToken)) return flight.run(signal);
      current ??= grantOf(idToken);
      return current;
    },
    async renew(sent, signal) {
      if (current === sent && refreshToken === '') return false;
      if (current === sent) await flight.run(signal);
      return current !== sent;
    },
    close: () => flight.close(new Error('the connection was closed')),
  };
}

/** The tokens as they are in the kubeconfig now; empty where it can no longer be read or no longer has the user. */
async function storedTokens(
  user: Entry,
): Promise<{ readonly idToken: string; readonly refreshToken: string }> {
  try {
    const fields =
      (await loadKubeconfig({ files: [user.file], from: 'explicit' })).users.get(user.name)?.fields ?? {};
    const config = objectField(objectField(fields, 'auth-provider'), 'config');
    return { idToken: textField(config, 'id-token'), refreshToken: textField(config, 'refresh-token') };
  } catch (error) {
    // What was read at the start still serves; saving the new tokens will tell what is wrong with the file.
    if (error instanceof LogtoolError || error instanceof InvalidField)
      return { idToken: '', refreshToken: '' };
    throw error;
  }
}

function grantOf(idToken: string): Grant {
  return { authorization: `Bearer ${headerValue('id-token', idToken)}` };
}

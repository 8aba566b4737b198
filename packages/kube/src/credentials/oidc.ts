import { objectField, textField } from '../config/fields.ts';
import { InvalidField, withinField } from '../config/invalid-field.ts';
import type { Entry, PlainObject } from '../config/kubeconfig.ts';
import { loadKubeconfig } from '../config/load.ts';
import { CodedError } from '../values/coded-error.ts';
import { ProblemError, whyOf } from '../values/problems.ts';
import type { Credential, Grant } from './credential.ts';
import type { CredentialContext } from './credential-context.ts';
import { headerValue } from './header-value.ts';
import { refreshFailed, refreshTokens, type Tokens } from './oidc-refresh.ts';
import { readData } from './read-data.ts';
import { saveAuthProviderConfig } from './save-tokens.ts';
import { singleFlight } from './single-flight.ts';

/** A token this close to its expiry is not sent: the server's clock may be ahead (client-go's expiryDelta). */
const EXPIRY_MARGIN_MS = 10_000;

/**
 * The auth-provider `oidc`: uses the id-token while it is valid, else requests a new one with the refresh-token. Like
 * kubectl, saves new tokens in the kubeconfig. Throws InvalidField; the credential throws CodedError
 * `oidc-refresh-failed`.
 */
export function oidcCredential(user: Entry, context: CredentialContext): Credential {
  return new OidcCredential(user, context);
}

class OidcCredential implements Credential {
  readonly #user: Entry;
  readonly #context: CredentialContext;
  readonly #config: PlainObject;
  readonly #issuer: string;
  readonly #clientId: string;
  readonly #clientSecret: string;
  readonly #flight = singleFlight((signal) => this.#refresh(signal));
  #idToken: string;
  #refreshToken: string;
  #current: Grant | undefined;

  constructor(user: Entry, context: CredentialContext) {
    this.#user = user;
    this.#context = context;
    const config = withinField(['auth-provider'], () =>
      objectField(objectField(user.fields, 'auth-provider'), 'config'),
    );
    const get = (name: string) => withinField(['auth-provider', 'config'], () => textField(config, name));
    this.#config = config;
    this.#issuer = get('idp-issuer-url');
    this.#clientId = get('client-id');
    this.#clientSecret = get('client-secret');
    this.#idToken = get('id-token');
    this.#refreshToken = get('refresh-token');
  }

  async grant(signal?: AbortSignal): Promise<Grant> {
    if (!this.#isGood(this.#idToken)) return this.#flight.run(signal);
    this.#current ??= grantOf(this.#idToken);
    return this.#current;
  }

  async renew(sent: Grant, signal?: AbortSignal): Promise<boolean> {
    if (this.#current === sent && this.#refreshToken === '') return false;
    if (this.#current === sent) await this.#flight.run(signal);
    return this.#current !== sent;
  }

  close(): void {
    this.#flight.close(new ProblemError({ code: 'connection-closed', data: {} }));
  }

  async #refresh(signal: AbortSignal): Promise<Grant> {
    // Another program may have renewed the tokens: then the file has its tokens, and ours may be invalid.
    const stored = await storedTokens(this.#user);
    if (stored.refreshToken !== '') this.#refreshToken = stored.refreshToken;
    if (stored.idToken !== this.#idToken && this.#isGood(stored.idToken)) return this.#use(stored.idToken);
    const tokens = await this.#requestTokens(signal);
    this.#refreshToken = tokens.refreshToken ?? this.#refreshToken;
    const grant = this.#use(tokens.idToken);
    await this.#save();
    return grant;
  }

  async #requestTokens(signal: AbortSignal): Promise<Tokens> {
    const issuer = this.#issuer;
    const clientId = this.#clientId;
    const refreshToken = this.#refreshToken;
    if (refreshToken === '') throw refreshFailed(issuer, { code: 'id-token-expired', data: {} });
    if (issuer === '' || clientId === '') throw refreshFailed(issuer, { code: 'issuer-not-set', data: {} });
    const { env, clock } = this.#context;
    const ca = await readData({ ...this.#user, fields: this.#config }, 'idp-certificate-authority');
    const clientSecret = this.#clientSecret;
    return refreshTokens({ issuer, clientId, clientSecret, refreshToken, ca, env, clock }, signal);
  }

  #use(idToken: string): Grant {
    this.#idToken = idToken;
    this.#current = grantOf(idToken);
    return this.#current;
  }

  async #save(): Promise<void> {
    const { name, file } = this.#user;
    const fields = { 'id-token': this.#idToken, 'refresh-token': this.#refreshToken };
    try {
      await saveAuthProviderConfig(this.#user, fields, this.#context.clock);
    } catch (error) {
      const why = whyOf(error);
      this.#context.onNotice({ code: 'oidc-tokens-not-saved', data: { user: name, file, why } });
    }
  }

  #isGood(token: string): boolean {
    const expiry = jwtExpiryMs(token);
    return token !== '' && expiry !== undefined && expiry - EXPIRY_MARGIN_MS > this.#context.clock.now();
  }
}

/** Reads the current tokens of the kubeconfig; empty if it can no longer be read or no longer has the user. */
async function storedTokens(
  user: Entry,
): Promise<{ readonly idToken: string; readonly refreshToken: string }> {
  try {
    const fields =
      (await loadKubeconfig({ files: [user.file], from: 'explicit' })).users.get(user.name)?.fields ?? {};
    const config = objectField(objectField(fields, 'auth-provider'), 'config');
    return { idToken: textField(config, 'id-token'), refreshToken: textField(config, 'refresh-token') };
  } catch (error) {
    // The tokens read at the start still work; saving the new ones reports what is wrong with the file.
    if (error instanceof CodedError || error instanceof InvalidField)
      return { idToken: '', refreshToken: '' };
    throw error;
  }
}

function grantOf(idToken: string): Grant {
  return { authorization: `Bearer ${headerValue('id-token', idToken)}` };
}

/**
 * Returns the expiry of a JWT (RFC 7519 section 4.1.4) in ms since the epoch; undefined if unreadable. Does not check
 * the signature; the server does.
 */
function jwtExpiryMs(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return undefined;
    return typeof claims.exp === 'number' && Number.isFinite(claims.exp) ? claims.exp * 1000 : undefined;
  } catch {
    // Without JSON the expiry is unknown, and the caller treats the token as expired.
    return undefined;
  }
}

import { field, objectField, textField } from '../config/fields.ts';
import type { Entry } from '../config/kubeconfig.ts';
import { kubeFailure } from '../values/failures.ts';
import { basicCredential } from './basic.ts';
import { clientCertificateCredential } from './client-certificate.ts';
import { type ClientCertificate, type Credential, fixedCredential, type Grant } from './credential.ts';
import type { CredentialContext } from './credential-context.ts';
import { readData, resolveBeside } from './read-data.ts';
import { staticTokenCredential } from './static-token.ts';
import { tokenFileCredential } from './token-file.ts';

/**
 * Returns the credential of a kubeconfig's user. If it has several, the order is client-go's: tokenFile, token, basic,
 * exec, auth-provider. A client certificate is used together with any of them but exec, which does not run beside one.
 * Throws InvalidField, CodedError.
 */
export async function chooseCredential(
  user: Entry | undefined,
  context: CredentialContext,
): Promise<Credential> {
  if (user === undefined) return fixedCredential({});
  const certificate = await readClientCertificate(user);
  const header = await headerCredential(user, context, certificate !== undefined);
  if (certificate === undefined) return header ?? fixedCredential({});
  const inFiles =
    textField(user.fields, 'client-certificate-data') === '' ||
    textField(user.fields, 'client-key-data') === '';
  const own = clientCertificateCredential(
    certificate,
    inFiles ? async () => (await readClientCertificate(user)) ?? certificate : undefined,
    context.clock,
  );
  return header === undefined ? own : bothCredentials(own, header);
}

async function headerCredential(
  user: Entry,
  context: CredentialContext,
  hasCertificate: boolean,
): Promise<Credential | undefined> {
  const { fields } = user;
  const token = textField(fields, 'token');
  const tokenFile = textField(fields, 'tokenFile');
  if (tokenFile !== '') return tokenFileCredential(resolveBeside(user.file, tokenFile), token, context.clock);
  if (token !== '') return staticTokenCredential(token);
  const username = textField(fields, 'username');
  if (username !== '') return basicCredential(username, textField(fields, 'password'));
  if (field(fields, 'exec') !== undefined) {
    // client-go's UpdateTransportConfig: the plugin serves only users who have nothing else.
    if (hasCertificate) return undefined;
    const { execCredential } = await import('./exec-plugin.ts');
    return execCredential(user, context);
  }
  if (field(fields, 'auth-provider') === undefined) return undefined;
  const name = textField(objectField(fields, 'auth-provider'), 'name');
  if (name === 'oidc') {
    const { oidcCredential } = await import('./oidc.ts');
    return oidcCredential(user, context);
  }
  // Kubernetes has removed all other auth-providers.
  throw kubeFailure('auth-provider-removed', { provider: name });
}

async function readClientCertificate(user: Entry): Promise<ClientCertificate | undefined> {
  const [cert, key] = await Promise.all([readData(user, 'client-certificate'), readData(user, 'client-key')]);
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  const absent = cert === undefined ? 'client-certificate' : 'client-key';
  throw kubeFailure('bad-certificate-data', {
    problem: 'lacks',
    user: user.name,
    file: user.file,
    field: absent,
  });
}

/** Combines a client certificate with another credential: each request uses both, as in kubectl. */
function bothCredentials(certificate: Credential, other: Credential): Credential {
  const grantPairs = new WeakMap<Grant, readonly [Grant, Grant]>();
  let current: Grant | undefined;
  return {
    async grant(signal) {
      const a = await certificate.grant(signal);
      const b = await other.grant(signal);
      const last = current === undefined ? undefined : grantPairs.get(current);
      if (current !== undefined && last?.[0] === a && last[1] === b) return current;
      current = { authorization: b.authorization, certificate: a.certificate ?? b.certificate };
      grantPairs.set(current, [a, b]);
      return current;
    },

    async renew(sent, signal) {
      const [a, b] = grantPairs.get(sent) ?? [sent, sent];
      const renewed = await certificate.renew(a, signal);
      return (await other.renew(b, signal)) || renewed;
    },

    close() {
      certificate.close();
      other.close();
    },
  };
}

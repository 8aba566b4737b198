import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityHeaders } from './identity-headers.ts';
import { type Identity, readIdentity } from './read-identity.ts';

const HEADER = {
  authorities: [],
  allowedNames: [],
  userHeaders: ['x-remote-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: ['x-remote-group'],
  extraPrefixes: ['x-remote-extra-'],
};

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((value) => !/[\u0000-\u001f\u007f-\u009f]/.test(value) && value.trim() === value && value !== '');
const key = text.map((value) => value.toLowerCase()).filter((value) => value === value.toLowerCase());
const identity: fc.Arbitrary<Identity> = fc.record({
  user: text,
  uid: fc.oneof(fc.constant(''), text),
  groups: fc.array(text, { maxLength: 5 }),
  extra: fc.dictionary(key, fc.array(text, { minLength: 1, maxLength: 3 }), { maxKeys: 4 }),
});

test('an agent reads whom the API names, whatever the names contain', async () => {
  const server = createServer((incoming, response) =>
    response.end(JSON.stringify(readIdentity(incoming.rawHeaders, HEADER))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = async (named: Identity): Promise<unknown> => {
    const asked = request({ host: '127.0.0.1', port, headers: identityHeaders(named), agent: false });
    asked.end();
    const [response] = await once(asked, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString());
  };
  try {
    await fc.assert(
      fc.asyncProperty(identity, async (named) => {
        expect(await sent(named)).toEqual({ ...named, extra: { ...named.extra } });
      }),
      { numRuns: 300 },
    );
  } finally {
    server.close();
  }
});

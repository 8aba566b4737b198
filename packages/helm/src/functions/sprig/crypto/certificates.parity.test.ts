import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { helm } from '../../../../../../test/support/oracles/helm.ts';
import { writeFiles } from '../../../../test/parity/with-helm.ts';
import { chartFromFiles } from '../../../../test/parity/with-ours.ts';
import { renderTemplates } from '../../../render/render-templates.ts';
import { readElements } from './der.ts';
import { readPem } from './pem.ts';

const EC = '(genPrivateKey "ecdsa")';
const MADE: Readonly<Record<string, string>> = {
  authority: `genCAWithKey "ca é" 365 ${EC}`,
  self: `genSelfSignedCertWithKey "self.example" (list "10.1.2.3" "2001:db8::1" "::ffff:1.2.3.4") (list "a.example" "*.b.example") 30 ${EC}`,
  nameless: `genSelfSignedCertWithKey "" nil (list "only.example") 30 (genPrivateKey "ed25519")`,
  signed: `genSignedCertWithKey "leaf" (list "127.0.0.1") (list "leaf.example") 30 $authority ${EC}`,
  far: `genCAWithKey "far*" 20000 ${EC}`,
  rsa: 'genCA "rsa" 10',
};
const FILES = {
  'Chart.yaml': 'apiVersion: v2\nname: certificates\nversion: 1.0.0\n',
  'templates/all.yaml': Object.entries(MADE)
    .map(
      ([name, make]) =>
        `{{ $${name} := ${make} }}${name}: {{ list $${name}.Cert $${name}.Key | toJson | b64enc }}\n`,
    )
    .join(''),
};

type Pair = readonly [cert: string, key: string];

function readPairs(text: string): Map<string, Pair> {
  return new Map(
    [...text.matchAll(/^(\w+): ([\w+/=]+)$/gm)].map(([, name = '', coded = '']) => [
      name,
      JSON.parse(Buffer.from(coded, 'base64').toString()) as Pair,
    ]),
  );
}

async function ours(): Promise<Map<string, Pair>> {
  const files = await renderTemplates(chartFromFiles(FILES), new Map(), {
    release: { name: 'r', namespace: 'default', revision: 1, isInstall: true, isUpgrade: false },
    capabilities: { kubeVersion: { version: 'v1.35.0', major: '1', minor: '35' }, apiVersions: ['v1'] },
    clock: systemClock,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  });
  return readPairs(files.get('certificates/templates/all.yaml') ?? '');
}

async function theirs(): Promise<Map<string, Pair>> {
  const home = await mkdtemp(join(tmpdir(), 'logtool-certificates-'));
  try {
    await writeFiles(join(home, 'certificates'), FILES);
    const { stdout, stderr, exitCode } = await helm('4.1.4', ['template', 'r', join(home, 'certificates')], {
      home,
    });
    if (exitCode !== 0) throw new Error(stderr);
    return readPairs(stdout.toString());
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const CHANGING = new Map([
  [0x02, 'integer'],
  [0x03, 'bits'],
  [0x17, 'short time'],
  [0x18, 'long time'],
]);

/** Returns the structure of a certificate, without keys, numbers, times and signatures. */
function shapeOf(bytes: Buffer): unknown {
  return (readElements(bytes) ?? []).map(({ tag, content }) => {
    if (CHANGING.has(tag)) return CHANGING.get(tag);
    if (tag === 0x30 || tag === 0x31 || tag === 0xa0 || tag === 0xa3) return [tag, shapeOf(content)];
    // Key IDs are 20 bytes that differ; all others are equal.
    const isKeyId =
      content.length === 20 ||
      (content.length === 22 && content[1] === 20) ||
      (content.length === 24 && content[3] === 20);
    return [tag, isKeyId ? 'key id' : content.toString('hex')];
  });
}

describe('certificates', () => {
  let made: Map<string, Pair>;
  let helms: Map<string, Pair>;
  beforeAll(async () => {
    [made, helms] = await Promise.all([ours(), theirs()]);
  });

  it.each(Object.keys(MADE))('has the shape that helm gives: %s', (name) => {
    const [[cert], [theirCert]] = [made.get(name)!, helms.get(name)!];
    expect(shapeOf(readPem(cert)!.bytes)).toEqual(shapeOf(readPem(theirCert)!.bytes));
  });

  it.each(Object.keys(MADE))('fits its key: %s', (name) => {
    const [cert, key] = made.get(name)!;
    expect(new X509Certificate(cert).publicKey.equals(createPublicKey(createPrivateKey(key)))).toBe(true);
  });

  it('is signed by the authority whose name it has as issuer', () => {
    const authority = new X509Certificate(made.get('authority')![0]);
    const leaf = new X509Certificate(made.get('signed')![0]);
    expect(authority.ca).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.checkIssued(authority)).toBe(true);
    expect(leaf.verify(authority.publicKey)).toBe(true);
    expect(leaf.verify(leaf.publicKey)).toBe(false);
    expect(leaf.issuer).toBe('CN=ca é');
  });

  it('is good for the names and addresses asked for, and for as long', () => {
    const self = new X509Certificate(made.get('self')![0]);
    expect(self.verify(self.publicKey)).toBe(true);
    expect(self.subjectAltName).toBe(
      'DNS:a.example, DNS:*.b.example, IP Address:10.1.2.3, IP Address:2001:DB8:0:0:0:0:0:1, IP Address:1.2.3.4',
    );
    const days = (Date.parse(self.validTo) - Date.parse(self.validFrom)) / 86_400_000;
    expect(days).toBe(30);
    expect(Math.abs(Date.parse(self.validFrom) - Date.now())).toBeLessThan(3_600_000);
  });

  it('numbers each certificate by chance', () => {
    const serials = [...made.values()].map(([cert]) => new X509Certificate(cert).serialNumber);
    expect(new Set(serials).size).toBe(serials.length);
  });
});

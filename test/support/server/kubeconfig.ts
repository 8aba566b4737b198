import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { base64, folder } from '../connection/kubeconfig-folder.ts';

export interface TestContext {
  readonly name: string;
  readonly server: string;
  readonly token?: string;
  readonly namespace?: string;
  /** PEM; if absent, the certificate is not verified. */
  readonly ca?: string;
}

export interface TestKubeconfig {
  readonly file: string;
  readonly directory: string;
  /** Replaces the file as kubectl does: renames a new one over it. */
  write(contexts: readonly TestContext[], current?: string): Promise<void>;
  writeText(text: string): Promise<void>;
}

/** Creates a kubeconfig in its own folder, removed after the test. */
export async function testKubeconfig(contexts: readonly TestContext[]): Promise<TestKubeconfig> {
  const directory = await folder();
  const file = join(directory, 'config');
  let count = 0;
  const writeText = async (text: string) => {
    const next = join(directory, `next-${count++}`);
    await writeFile(next, text);
    await rename(next, file);
  };
  const write = (list: readonly TestContext[], current = list[0]?.name ?? '') =>
    writeText(JSON.stringify(documentOf(list, current)));
  await write(contexts);
  return { file, directory, write, writeText };
}

function documentOf(contexts: readonly TestContext[], current: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    clusters: contexts.map(({ name, server, ca }) => ({
      name: `${name}-cluster`,
      cluster: {
        server,
        ...(ca === undefined
          ? { 'insecure-skip-tls-verify': true }
          : { 'certificate-authority-data': base64(ca) }),
      },
    })),
    users: contexts.map(({ name, token }) => ({
      name: `${name}-user`,
      user: token === undefined ? {} : { token },
    })),
    contexts: contexts.map(({ name, namespace }) => ({
      name,
      context: {
        cluster: `${name}-cluster`,
        user: `${name}-user`,
        ...(namespace === undefined ? {} : { namespace }),
      },
    })),
  };
}

import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writeJson } from '@logtool/helm/src/json/write-json.ts';
import { VALUES_LIMIT_BYTES } from '@logtool/helm/src/repository/fetch-values.ts';
import { guarded, redirectTo, startRepository } from '@logtool/helm/test/support/repository-server.ts';
import { expect, it } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { HELM_VERSIONS } from '../../../../../test/support/oracles/helm.ts';
import {
  shownValues,
  templateInHelm,
  VALUES_TEMPLATE,
} from '../../../../../test/support/oracles/helm-template.ts';
import { CliError } from '../messages/cli-error.ts';
import type { LogtoolError } from '../messages/logtool-error.ts';
import { worded } from '../messages/worded.ts';
import { readValues } from './read-values.ts';

const CHART = {
  'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'templates/a.yaml': VALUES_TEMPLATE,
};

async function read(...files: readonly string[]): Promise<string> {
  const values = await readValues(capture([]).context, { files, sets: [] });
  return writeJson(values ?? null);
}

async function refusal(...files: readonly string[]): Promise<LogtoolError> {
  const error: unknown = await read(...files).catch((thrown: unknown) => thrown);
  if (!(error instanceof CliError)) throw error;
  return worded(error);
}

/** Runs with a text as standard input. */
async function given<Result>(text: string | Buffer, act: () => Promise<Result>): Promise<Result> {
  const own = process.stdin;
  const value = Readable.from([Buffer.from(text)]);
  Object.defineProperty(process, 'stdin', { value, configurable: true });
  try {
    return await act();
  } finally {
    Object.defineProperty(process, 'stdin', { value: own, configurable: true });
  }
}

it.each(HELM_VERSIONS)(
  'reads several files by address and path, the later over the earlier, as helm %s does',
  async (version) => {
    const folder = await mkdtemp(join(tmpdir(), 'logtool-values-'));
    try {
      await writeFile(join(folder, 'local.yaml'), 'map: {local: 1, both: local}\n');
      await using server = await startRepository({
        '/first.yaml': 'map: {first: 1, both: first}\nlist: [1, 2]\n',
        '/moved.yaml': redirectTo('/last.yaml'),
        '/last.yaml': 'list: [3]\ngone: null\n',
        '/private.yaml': guarded('secret: yes\n'),
      });
      const guardedUrl = server.url.replace('//', '//ada:s3cret@');
      const files = [
        `${server.url}/first.yaml?token=x`,
        join(folder, 'local.yaml'),
        `${server.url}/moved.yaml`,
        `${guardedUrl}/private.yaml`,
      ];
      const { stdout } = await templateInHelm(
        version,
        CHART,
        files.flatMap((file) => ['-f', file]),
      );
      expect(await read(...files)).toBe(shownValues(stdout)['chart/templates']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

it('reports why each address is unreadable, without its secrets', async () => {
  await using server = await startRepository({
    '/large.yaml': Buffer.alloc(VALUES_LIMIT_BYTES + 1, '#'),
    '/loop.yaml': redirectTo('/loop.yaml'),
    '/oci.yaml': redirectTo('oci://example.com/x'),
    '/half.yaml': (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('a: 1', () => response.destroy());
    },
    '/private.yaml': guarded('a: 1\n'),
  });
  const why = async (path: string) => {
    const error = await refusal(server.url.replace('//', '//eve:hidden@') + path);
    expect(error).toMatchObject({ code: 'values-file-unreadable', exit: 'usage' });
    expect(error.what).toBe(`cannot read the values file ${server.url}${path.replace(/\?.*/, '')}`);
    expect(JSON.stringify([error.what, error.why, error.next])).not.toMatch(/hidden|token/);
    expect(error.next).toBe('check the address, or download the file and give its path');
    return error.why;
  };
  expect(await why('/none.yaml?token=x')).toBe('the server answered 404 Not Found');
  expect(await why('/large.yaml')).toBe('it is larger than 5 MiB');
  expect(await why('/loop.yaml')).toBe('it redirects more than 10 times');
  expect(await why('/oci.yaml')).toContain('OCI registry');
  expect(await why('/half.yaml')).toBe('the answer ended before it was complete');
  expect(await why('/private.yaml')).toBe('the server answered 401 Unauthorized');
});

it.each(['oci://example.com/values', 'http:nowhere', 'https://'])('refuses %s', async (address) => {
  expect(await refusal(address)).toMatchObject({ code: 'values-file-unreadable', exit: 'usage' });
});

it('takes a file that begins as no address does for a path', async () => {
  expect((await refusal('s3://bucket/values.yaml')).why).toBe('there is no such file');
});

it('reads standard input once, in UTF-16 too, and to a limit', async () => {
  expect(await given('a: 1\n', () => read('-'))).toBe('{"a":1}');
  expect(await given('a: 1\n', () => read('-', '-'))).toBe('{"a":1}');
  expect(await given(Buffer.from('\ufeffa: é\n', 'utf16le'), () => read('-'))).toBe('{"a":"é"}');
  const long = Buffer.alloc(VALUES_LIMIT_BYTES + 1, '#');
  expect((await given(long, () => refusal('-'))).why).toBe('it is larger than 5 MiB');
});

it('reads a file to a limit: a log, or a device, given by mistake ends there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-values-'));
  try {
    const path = join(folder, 'large.yaml');
    await writeFile(path, '');
    await truncate(path, 20 * 1024 * 1024 + 1);
    expect((await refusal(path)).why).toBe('it is larger than 20 MiB');
  } finally {
    await rm(folder, { recursive: true });
  }
});

import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { messageOf } from '@logtool/logtool/src/cli/messages/worded.ts';
import {
  createDashboard,
  type Dashboard,
  type DashboardOptions,
} from '@logtool/logtool/src/server/create-dashboard.ts';
import type { Logger } from '@logtool/logtool/src/server/services.ts';
import { expect, onTestFinished } from 'vitest';
import { watchForSecrets } from '../dashboard/secret-watch.ts';
import { type TestContext, testKubeconfig } from './kubeconfig.ts';

export interface Logged {
  readonly level: keyof Logger;
  readonly fields: object;
  readonly text: string;
}

export interface TestDashboard extends Dashboard {
  readonly clock: FakeClock;
  readonly logged: readonly Logged[];
  /** Sends a request like a page of the server: with its Host, and with what the session needs. */
  ask(path: string, init?: RequestInit & { readonly headers?: Record<string, string> }): Promise<Response>;
  /** Returns the page token of the session with these headers (the cookie). */
  pageToken(headers?: Record<string, string>): Promise<string>;
}

export const HOST = 'localhost:7500';
export const ORIGIN = `http://${HOST}`;

/** Starts the server without a socket, on its own kubeconfig (whose cluster does not answer, unless one is given). */
export async function startDashboard(
  options: Partial<DashboardOptions> & { readonly contexts?: readonly TestContext[] } = {},
): Promise<TestDashboard> {
  const { contexts = [{ name: 'here', server: 'https://127.0.0.1:1', token: 'cluster-secret' }], ...rest } =
    options;
  const { file, directory } = await testKubeconfig(contexts);
  const clock = new FakeClock();
  const logged: Logged[] = [];
  const dashboard = await createDashboard(
    optionsOn(file, {
      clock,
      logger: recorder(logged),
      homeDirectory: directory,
      columns: ['timestamp', 'dot'],
      uiDirectory: directory,
      messageOf,
      ...rest,
    }),
  );
  const watch = await watchForSecrets(rest.kubeconfig ?? file);
  onTestFinished(async () => {
    await dashboard.close();
    expect(watch.leaks).toEqual([]);
  });
  const given = async (request: Request) => watch.over(await dashboard.fetch(request));
  const ask: TestDashboard['ask'] = async (path, init = {}) =>
    given(new Request(ORIGIN + path, { ...init, headers: { host: HOST, ...init.headers } }));
  return {
    ...dashboard,
    fetch: given,
    clock,
    logged,
    ask,
    async pageToken(headers = {}) {
      const answer = await ask(`${rest.basePath ?? ''}/api/v1/token`, { headers });
      return ((await answer.json()) as { token: string }).token;
    },
  };
}

/** Returns options of a server on a kubeconfig, by default with the machine's clock and no page to serve. */
export function optionsOn(kubeconfig: string, options: Partial<DashboardOptions> = {}): DashboardOptions {
  return {
    clock: systemClock,
    version: '0.0.0-test',
    logger: recorder([]),
    env: {},
    homeDirectory: '/nowhere',
    host: 'localhost',
    allowedHosts: [],
    auth: 'none',
    allowedNamespaces: [],
    columns: ['timestamp'],
    basePath: '',
    kubeconfig,
    inCluster: false,
    uiDirectory: '/nowhere',
    ...options,
  };
}

export function recorder(logged: Logged[]): Logger {
  const at = (level: keyof Logger) => (fields: object, text: string) =>
    void logged.push({ level, fields, text });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Returns the code of the failure in an answer. */
export async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { error: { code: string } }).error.code;
}

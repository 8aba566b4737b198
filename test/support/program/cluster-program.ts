import { execFile } from 'node:child_process';
import { startHelmCluster } from '../helm/cluster.ts';
import { buildCli } from './build-cli.ts';
import { onTerminal, type Watch } from './on-terminal.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Line = readonly string[];

/**
 * Starts a cluster and builds the real program with its own home: all that typing `logtool cluster ...`
 * needs.
 */
export async function startClusterProgram(scenario: unknown = 'scenarios/minimal.yaml') {
  const [cluster, cli] = await Promise.all([startHelmCluster(scenario), buildCli()]);
  const env = {
    PATH: process.env.PATH,
    HOME: cluster.home,
    KUBECONFIG: cluster.sim.kubeconfig,
    TERM: 'xterm-256color',
    // No test requests logtool's own chart repository from the network: the proxy does not exist.
    HTTPS_PROXY: 'http://127.0.0.1:1',
    NO_PROXY: '127.0.0.1',
  };
  const program = [...cli.command, 'cluster'] as const;
  return {
    ...cluster,
    env,
    program,
    /** Runs a command line with pipes. */
    run: (line: Line, more: Readonly<Record<string, string>> = {}) =>
      new Promise<Ended>((resolve) => {
        const [file, ...argv] = program;
        execFile(file, [...argv, ...line], { env: { ...env, ...more } }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      }),
    /** Runs command lines on one terminal, one after the other. */
    screens: (lines: readonly Line[], watch?: Watch) => onTerminal(program, env, lines, watch),
    async close() {
      await cluster.close();
      await cli.remove();
    },
  };
}

export type ClusterProgram = Awaited<ReturnType<typeof startClusterProgram>>;

/** Returns the logtool commands that an error advises, as words after `logtool cluster`. */
export function advised(stderr: string): readonly Line[] {
  const [next = ''] = /^ {2}next: .*$/m.exec(stderr) ?? [];
  return [...next.matchAll(/logtool cluster ((?:[\w./=-]+ ?)+)/g)].map(([, args = '']) =>
    args.trim().split(' '),
  );
}

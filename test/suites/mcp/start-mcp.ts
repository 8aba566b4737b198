import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';

export const TRANSPORTS = ['stdio', 'http'] as const;

/** A tool's answer. */
export interface Answered {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface StartedMcp {
  readonly client: Client;
  /** Standard error of the program. */
  readonly stderr: () => string;
  call(name: string, given: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answered>;
  close(): Promise<void>;
}

let built: Promise<BuiltCli> | undefined;

/** Returns the program, built once per test file. */
function program(): Promise<BuiltCli> {
  built ??= buildCli();
  return built;
}

export async function removeProgram(): Promise<void> {
  await (await built)?.remove();
}

/** Starts `logtool mcp` as a process, and connects the official SDK's client. */
export async function startMcp(
  transport: (typeof TRANSPORTS)[number],
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedMcp> {
  const client = new Client({ name: 'test', version: '1' });
  let stderr = '';
  const onStderr = (chunk: Buffer) => {
    stderr += chunk;
  };
  let close = () => client.close();
  if (transport === 'stdio') {
    const [command, ...args] = (await program()).command;
    const stdio = new StdioClientTransport({
      command,
      args: [...args, 'mcp', ...argv],
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: 'pipe',
    });
    stdio.stderr?.on('data', onStderr);
    await client.connect(stdio);
  } else {
    const server = await startHttp(argv, env);
    server.child.stderr?.on('data', onStderr);
    const headers = { authorization: `Bearer ${server.token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }),
    );
    close = async () => {
      await client.close();
      await server.close();
    };
  }
  return {
    client,
    stderr: () => stderr,
    async call(name, given, signal) {
      const result = await client.callTool({ name, arguments: { ...given } }, { ...(signal && { signal }) });
      const [first] = result.content as readonly { readonly text: string }[];
      return {
        text: first?.text ?? '',
        structured: (result.structuredContent ?? {}) as Answered['structured'],
        isError: result.isError === true,
      };
    },
    close: () => close(),
  };
}

/** Starts `logtool mcp --http` as a listening process. */
export async function startHttp(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [command, ...args] = (await program()).command;
  const child: ChildProcess = spawn(command, [...args, 'mcp', '--http', '127.0.0.1:0', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) if (lines.push(line) === 2) break;
  const [url = '', token = ''] = [
    /http:\S+/.exec(lines[0] ?? '')?.[0],
    /Bearer (\S+)/.exec(lines[1] ?? '')?.[1],
  ];
  return {
    child,
    url,
    token,
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

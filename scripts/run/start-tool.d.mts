import type { SpawnSyncOptions, SpawnSyncReturns } from 'node:child_process';

/** Runs npm to completion. */
export function runNpm(args: readonly string[], options?: SpawnSyncOptions): SpawnSyncReturns<Buffer>;

/** Returns the command that starts a program of a package in node_modules: Node and the script. */
export function toolCommand(packageName: string, name?: string): [command: string, script: string];

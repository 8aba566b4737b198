import { type ErrorParts, usageError } from '@logtool/kube/src/values/errors.ts';

/** The port that was asked for is taken. */
export function portTaken(host: string, port: number, flag: string) {
  return usageError({
    code: 'port-taken',
    what: `port ${port} of ${host} is taken`,
    why: 'another program listens there',
    next: `choose another one with ${flag}, or ${flag}=0 for any that is free`,
  });
}

/** Neither the default port nor any of those tried after it is free. */
export function noFreePort(host: string, from: number, to: number) {
  return usageError({
    code: 'port-taken',
    what: `no port of ${host} from ${from} to ${to} is free`,
    why: 'other programs listen there',
    next: 'choose one with --port, or --port=0 for any that is free',
  });
}

/** Why a machine does not let a program listen, by the system's code. */
export function messageOf(code: string | undefined, host: string, port: number, flag: string): ErrorParts {
  const parts = { what: `the server cannot listen on ${host}, port ${port}`, exit: 'usage' as const };
  switch (code) {
    case 'EACCES':
      return {
        ...parts,
        code: 'port-not-allowed',
        why: 'the system keeps this port for programs with more rights',
        next: `choose a port from 1024 on with ${flag}`,
      };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        ...parts,
        code: 'host-not-here',
        why: 'the host is no address of this machine',
        next: 'choose one of its own with --host; 0.0.0.0 means all of them',
      };
    default:
      return {
        ...parts,
        code: 'cannot-listen',
        why: `the system says ${code ?? 'nothing more'}`,
        next: `choose another --host or ${flag}`,
      };
  }
}

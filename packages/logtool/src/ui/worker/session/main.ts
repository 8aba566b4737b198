import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { createClient } from '../../api/create-client.ts';
import { Session } from '../../api/session.ts';
import type { FromWorker, ToWorker } from '../protocol/protocol.ts';
import { LogSession } from './log-session.ts';

/** The part of the worker's global scope that is used (its types conflict with those of the page). */
interface Scope {
  postMessage(message: FromWorker): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
  addEventListener(type: 'unhandledrejection', listener: (event: PromiseRejectionEvent) => void): void;
  close(): void;
}
const scope = globalThis as unknown as Scope;

let session: Session | undefined;
let logs: LogSession | undefined;

scope.addEventListener('message', ({ data: message }) => {
  if (message.type === 'start') {
    const { basePath, token, limits } = message;
    const own = new Session({ basePath, token });
    session = own;
    const api = createClient({ basePath, token: () => own.token, renew: (used) => own.renew(used) });
    logs = new LogSession({ api, clock: systemClock, limits, send: (answer) => scope.postMessage(answer) });
    return;
  }
  if (message.type === 'token') return session?.accept(message.token);
  logs?.take(message);
  if (message.type === 'close') scope.close();
});

// Reports a defect in work that nothing waits for to the page, like any other.
scope.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));

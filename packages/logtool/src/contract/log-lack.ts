import { z } from '@hono/zod-openapi';
import type { GapCause } from '../domain/frame.ts';
import type * as domain from '../domain/verdicts/log-lack.ts';
import { sameAs } from './coded.ts';

/** Why lines between two times may be missing. */
export const GapCode = sameAs<GapCause['code']>()(
  z.enum([
    'rotated',
    'begins-late',
    'run-begins-late',
    'runs-gone',
    'run-removed',
    'run-lost',
    'restarted-twice',
    'pod-deleted',
    'previous-unreadable',
    'log-gone',
    'end-unread',
  ]),
);

const ReadFailure = sameAs<domain.ReadFailure>()(
  z.enum([
    'connection-lost',
    'credentials',
    'forbidden',
    'no-answer',
    'not-found',
    'protocol-error',
    'refused-request',
    'server-error',
    'tls',
    'too-many-requests',
    'unauthorized',
    'unexpected',
    'unreachable',
  ]),
);

/** Why a log, or a part of it, is unknown. */
export const LogLack = sameAs<domain.LogLack>()(
  z.enum(['bytes', 'time', 'waiting', 'left', ...GapCode.options, ...ReadFailure.options]),
);

import { failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { ServerFailures } from '../contract/server-failures.ts';

export type * from '../contract/server-failures.ts';

export const serverFailure = failuresOf<ServerFailures>();

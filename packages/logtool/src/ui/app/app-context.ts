import { createContext, useContext } from 'react';
import type { ApiClient } from '../../contract/client.ts';
import type { Session } from '../api/session.ts';

/** What every part of the page is given: the way to the server and who is signed in. */
export interface AppServices {
  readonly api: ApiClient;
  readonly session: Session;
  /** Where the server is mounted, without a slash at the end. */
  readonly basePath: string;
}

export const AppContext = createContext<AppServices | undefined>(undefined);

/** The parts of the app that this component is in. Throws outside of one. */
export function useApp(): AppServices {
  const services = useContext(AppContext);
  if (services === undefined) throw new Error('useApp outside of the app');
  return services;
}

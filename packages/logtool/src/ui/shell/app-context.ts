import { createContext, useContext } from 'react';
import type { ApiClient } from '../../contract/client.ts';
import type { Session } from '../api/session.ts';

/** What every part of the page gets: access to the server, and the session. */
export interface AppServices {
  readonly api: ApiClient;
  readonly session: Session;
  /** Base path of the server, without a trailing slash. */
  readonly basePath: string;
}

export const AppContext = createContext<AppServices | undefined>(undefined);

/** Returns the services of the app around this component. Throws outside of one. */
export function useApp(): AppServices {
  const services = useContext(AppContext);
  if (services === undefined) throw new Error('useApp outside of the app');
  return services;
}

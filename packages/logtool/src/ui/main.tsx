import './theme/base.css';
import './app/chrome/chrome.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/create-client.ts';
import { Session } from './api/session.ts';
import { keepEntered, storedToken, takeToken } from './api/stored-token.ts';
import { readPageSettings } from './app/page-settings.ts';
import { makeRouter } from './app/router.tsx';
import { AppContext } from './shell/app-context.ts';
import { applyTheme, watchTheme } from './theme/theme.ts';

const { basePath, token } = readPageSettings(document);
// If the server needs no sign-in, or a proxy identifies the user, the page contains its token.
const stored = token === '' ? storedToken(basePath) : undefined;
const entered = takeToken(location, history);
// Not awaited: a top-level await makes the bundler split modules into more files.
if (entered === undefined || stored === undefined) start();
else void keepEntered(stored, entered, { basePath, send: fetch }).finally(start);

function start(): void {
  const session = new Session({ basePath, token, stored });
  const api = createClient({ basePath, token: () => session.token, renew: (used) => session.renew(used) });
  const container = document.getElementById('app');
  if (container === null) throw new Error('index.html has no #app');

  // The API client already retries transient failures; a missing permission stays missing.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  const router = makeRouter(basePath);

  applyTheme();
  watchTheme();
  createRoot(container).render(
    <StrictMode>
      <AppContext value={{ api, session, basePath }}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AppContext>
    </StrictMode>,
  );
}

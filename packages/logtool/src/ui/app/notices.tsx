import { useSyncExternalStore } from 'react';

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** What is to be said of the server as a whole, in a corner over the page. */
export function Notices({ newVersion }: { readonly newVersion: string | undefined }) {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  // A server on this machine answers without a network.
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
  return (
    <div className="notices" role="status">
      {newVersion === undefined ? null : (
        <p>
          The server is logtool {newVersion} now.{' '}
          <button type="button" className="text-button" onClick={() => location.reload()}>
            Reload
          </button>{' '}
          to have its page too.
        </p>
      )}
      {isOnline || isLocal ? null : <p>This machine is offline. The page goes on when it is back.</p>}
    </div>
  );
}

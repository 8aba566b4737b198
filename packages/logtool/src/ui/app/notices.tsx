import { useSyncExternalStore } from 'react';
import './notices.css';

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Notices about the server as a whole, in a corner over the page. */
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
      {isOnline || isLocal ? null : <p>You are offline. The page resumes when the network is back.</p>}
    </div>
  );
}

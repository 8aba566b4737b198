import { Dialog } from './chrome/dialog.tsx';
import { KEY_TABLES } from './keys.ts';

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onClose={onClose} className="keys">
      <div className="key-tables">
        {KEY_TABLES.map((table) => (
          <section key={table.title}>
            <h3>{table.title}</h3>
            <dl>
              {table.keys.map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(', ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

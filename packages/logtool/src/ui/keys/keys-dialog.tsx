import { Dialog } from '../app/chrome/dialog.tsx';
import { chordText } from './chord.ts';
import { KEY_HELP } from './log-keys.ts';
import './keys-dialog.css';

/** Lists all keys of the page with their commands. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onClose={onClose} className="keys">
      <div className="key-tables">
        {KEY_HELP.map(({ title, lines }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(({ meaning, chords }) => (
                <div key={meaning}>
                  <dt>
                    {chords.map((chord) => (
                      <kbd key={chord}>{chordText(chord)}</kbd>
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

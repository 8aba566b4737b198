import { legibleText } from '../ansi/plain-text.ts';
import { Popover } from '../app/chrome/popover.tsx';
import { sampledFieldsText } from '../messages/coverage.ts';
import type { FacetCounts } from '../worker/protocol/protocol.ts';

/** Search syntax; a line must match every term. */
const SYNTAX: readonly (readonly [example: string, meaning: string])[] = [
  ['timeout refused', 'both words, anywhere in the line'],
  ['"timed out"', 'these words together'],
  ['-health', 'not this word'],
  ['@level:error,warn', 'one of these levels; none: without a level'],
  ['@status:503', 'a field of JSON or logfmt with this value'],
  ['@duration_ms:>100', 'a number above, or with >=, <, <='],
  ['@req.headers.host:shop', 'a field inside of another'],
  ['-@user:"ada l"', 'not this value'],
];
const MAX_KEYS = 12;

/** Explains the search syntax, and lists the fields of the lines. */
export function SearchHelp({ facets }: { readonly facets: FacetCounts }) {
  const keys = facets.fields.slice(0, MAX_KEYS).map(([key]) => key);
  return (
    <Popover
      label="How to search"
      trigger="?"
      triggerClass="toggle search-help-button"
      triggerLabel="How to search"
      title="How to search"
      align="end"
      className="search-help"
    >
      {() => (
        <>
          <dl>
            {SYNTAX.map(([example, meaning]) => (
              <div key={example}>
                <dt>
                  <code>{example}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          {keys.length === 0 ? null : (
            <p>
              {sampledFieldsText(facets.fieldsOf)}: <code>{legibleText(keys.join(' '))}</code>
            </p>
          )}
        </>
      )}
    </Popover>
  );
}

import { CopyButton } from '../app/chrome/copy-button.tsx';
import type { Problem } from '../worker/protocol.ts';

/** So many are told in full; the others are counted, and open on a click. */
const IN_FULL = 2;

/** Sources that cannot be read, and what it would take; all others go on meanwhile. */
export function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const others = problems.slice(IN_FULL);
  return (
    <section className="problems" aria-label="Problems">
      {problems.slice(0, IN_FULL).map((problem) => (
        <OneProblem key={problem.key} problem={problem} />
      ))}
      {others.length === 0 ? null : (
        <details>
          <summary>and {others.length.toLocaleString('en')} more</summary>
          {others.map((problem) => (
            <OneProblem key={problem.key} problem={problem} />
          ))}
        </details>
      )}
    </section>
  );
}

function OneProblem({ problem: { error } }: { readonly problem: Problem }) {
  const { what, why, next, denied } = error;
  return (
    <div className="problem" data-problem={error.code}>
      <p>
        <span className="problem-what">{what}</span>
        {why === undefined ? null : <span className="problem-why">{why}</span>}
      </p>
      {denied === undefined ? (
        next === undefined ? null : (
          <p className="problem-why">{next}</p>
        )
      ) : (
        <p>
          Missing: <b>{denied.verb}</b> on <b>{denied.resource}</b>
          {denied.namespace === undefined ? ' in the cluster' : ' in namespace '}
          <b>{denied.namespace}</b>
          {' · '}
          <code>{denied.check}</code> <CopyButton text={denied.check} label="Copy the check" />
        </p>
      )}
    </div>
  );
}

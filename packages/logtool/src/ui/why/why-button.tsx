import { useState } from 'react';
import { PageLink } from '../app/chrome/page-link.tsx';
import { Late, LateComponent } from '../frame/late-component.tsx';
import { WHY_BUTTON, whyTitle } from '../messages/why-title.ts';
import { useApp } from '../shell/app-context.ts';
import { consoleHref } from '../shell/links.ts';
import type { WhyQuestion } from './why-question.ts';

/** The first load omits the dialog. */
const DIALOG = new LateComponent(() => import('./why-dialog.tsx').then((module) => module.WhyDialog));

interface WhyButtonProps {
  readonly question: WhyQuestion;
  readonly className: string;
}

/** Opens the explanation of a workload, or of everything that a log shows. */
export function WhyButton({ question, className }: WhyButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const app = useApp();
  const title = whyTitle(question.name);
  const page = { app, Link: PageLink, hrefOf: consoleHref };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-label={`${WHY_BUTTON} ${title}`}
        onClick={() => setOpen(true)}
      >
        {WHY_BUTTON}
      </button>
      {isOpen ? <Late component={DIALOG} props={{ question, page, onClose: () => setOpen(false) }} /> : null}
    </>
  );
}

import { useState } from 'react';
import { Dialog } from '../app/chrome/dialog.tsx';
import { ErrorText } from '../app/chrome/error-text.tsx';
import { logMessageOf } from '../messages/log-message-of.ts';
import { WHY_TEXTS } from '../messages/why.ts';
import { whyTitle } from '../messages/why-title.ts';
import { ExplanationView } from './explanation-view.tsx';
import { useAnswer } from './use-answer.ts';
import type { WhyPage, WhyQuestion } from './why-question.ts';
import './why-dialog.css';

interface WhyDialogProps {
  readonly question: WhyQuestion;
  readonly page: WhyPage;
  readonly onClose: () => void;
}

/** Shows the verdict first, then its proof; every line and event links to its position in the log. */
export function WhyDialog({ question, page, onClose }: WhyDialogProps) {
  const [turn, setTurn] = useState(0);
  return (
    <Dialog title={whyTitle(question.name)} isOpen onClose={onClose} className="why-dialog">
      <Answer key={turn} question={question} page={page} onGo={onClose} />
      <div className="why-foot">
        <button type="button" className="button" onClick={() => setTurn(turn + 1)}>
          {WHY_TEXTS.askAgain}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

interface AnswerProps {
  readonly question: WhyQuestion;
  readonly page: WhyPage;
  readonly onGo: () => void;
}

function Answer({ question, page, onGo }: AnswerProps) {
  const asked = useAnswer(page.app, question);
  if (asked.state === 'asking')
    return (
      <p role="status" className="dim">
        {WHY_TEXTS.asking}
      </p>
    );
  return (
    <div role={asked.state === 'failed' ? 'alert' : undefined} data-why={asked.state}>
      {asked.state === 'failed' ? (
        <ErrorText error={asked.error} message={logMessageOf(asked.error)} />
      ) : (
        <ExplanationView answer={asked.answer} question={question} page={page} onGo={onGo} />
      )}
    </div>
  );
}

import { describeCuts } from './every-cut.ts';

describeCuts('ever');

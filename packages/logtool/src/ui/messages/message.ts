export type { Message, Messages } from '../../messages/message.ts';

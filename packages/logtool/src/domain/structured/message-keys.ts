/** Keys for the message in several formats: the first that the line has wins. */
export const MESSAGE_KEYS = [
  'message',
  'msg',
  '@m',
  '@mt',
  'RenderedMessage',
  'MessageTemplate',
  'textPayload',
  'jsonPayload.message',
  'short_message',
  'Message',
  'MESSAGE',
  'body',
  'event',
  'log',
] as const;

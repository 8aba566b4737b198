import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { selfSigned } from '../tls-server/certificates.ts';

/** RFC 9113 section 6. */
export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, window: 8 } as const;
export const ACK = 0x1;
export const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
/** HPACK (RFC 7541): `:status: 200` of the static table. */
const STATUS_200 = Buffer.of(0x88);

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** One HTTP/2 connection at the server, frame by frame. */
export interface FrameLink {
  readonly socket: TLSSocket;
  send(type: number, flags: number, stream: number, payload?: Uint8Array): void;
  /** Sends the head of an answer with status 200. */
  head(stream: number, flags?: number): void;
  data(stream: number, text: string, flags?: number): void;
  reset(stream: number, code: number): void;
  goaway(lastStream: number, code: number): void;
  settings(values: Readonly<Record<number, number>>): void;
  /** Breaks the connection, like a killed process. */
  cut(): void;
}

export interface FrameScript {
  /** Receives each frame. The server answers SETTINGS and PING itself. */
  readonly onFrame: (link: FrameLink, frame: Frame) => unknown;
  /** Sends the first frames; default: empty SETTINGS. */
  readonly onOpen?: (link: FrameLink) => void;
}

/**
 * Starts a server with handwritten HTTP/2, for frames that no library would send. Over HTTP/1.1 it holds logs
 * of pods whose name begins with `busy` open, and answers `over 1.1` to everything else.
 */
export async function startFrameServer({ onFrame, onOpen }: FrameScript) {
  const certificate = selfSigned();
  const sockets = new Set<Socket>();
  const links: FrameLink[] = [];
  const server = createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => {});
    if (socket.alpnProtocol !== 'h2') return answerPlainly(socket);
    const link = linkOver(socket, () => {
      for (const raw of sockets) if (raw.remotePort === socket.remotePort) raw.resetAndDestroy();
    });
    links.push(link);
    if (onOpen === undefined) link.settings({});
    else onOpen(link);
    readFrames(socket, (frame) => {
      const { type, flags, payload } = frame;
      if ((flags & ACK) === 0) {
        if (type === FRAME.settings) link.send(type, ACK, 0);
        if (type === FRAME.ping) link.send(type, ACK, 0, payload);
      }
      onFrame(link, frame);
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { certificate, port, url: `https://127.0.0.1:${port}`, links };
}

function linkOver(socket: TLSSocket, cut: () => void): FrameLink {
  const send: FrameLink['send'] = (type, flags, stream, payload = Buffer.alloc(0)) => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    socket.write(Buffer.concat([head, payload]));
  };
  return {
    socket,
    send,
    cut,
    head: (stream, flags = 0) => send(FRAME.headers, END_HEADERS | flags, stream, STATUS_200),
    data: (stream, text, flags = 0) => send(FRAME.data, flags, stream, Buffer.from(text)),
    reset: (stream, code) => send(FRAME.reset, 0, stream, numbers(code)),
    goaway: (lastStream, code) => send(FRAME.goaway, 0, 0, numbers(lastStream, code)),
    settings: (values) => {
      const each = Object.entries(values).map(([id, value]) => {
        const setting = Buffer.alloc(6);
        setting.writeUInt16BE(Number(id), 0);
        setting.writeUInt32BE(value, 2);
        return setting;
      });
      send(FRAME.settings, 0, 0, Buffer.concat(each));
    },
  };
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

function readFrames(socket: TLSSocket, onFrame: (frame: Frame) => void): void {
  let pending = Buffer.alloc(0);
  let skip = PREFACE_BYTES;
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    if (pending.length < skip) return;
    pending = pending.subarray(skip);
    skip = 0;
    while (pending.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + pending.readUIntBE(0, 3);
      if (pending.length < end) return;
      const [type, flags, stream] = [pending.readUInt8(3), pending.readUInt8(4), pending.readUInt32BE(5)];
      const payload = pending.subarray(HEAD_BYTES, end);
      pending = pending.subarray(end);
      onFrame({ type, flags, stream, payload });
    }
  });
}

function answerPlainly(socket: TLSSocket): void {
  socket.on('data', (chunk: Buffer) => {
    const isHeld = chunk.includes('/busy-');
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
    socket.write(
      isHeld ? `${head}transfer-encoding: chunked\r\n\r\n` : `${head}content-length: 9\r\n\r\nover 1.1\n`,
    );
  });
}

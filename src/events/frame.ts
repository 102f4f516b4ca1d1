import { type Batch, envelopeText } from '../journal/index.js';

/** First byte of a WebSocket text frame: FIN bit and opcode (RFC 6455, section 5.2). */
const TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * Encodes a text as an unmasked, uncompressed WebSocket frame of a server. All sockets share the encoded frame, whereas
 * `ws` would encode the same message once for each socket.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = TEXT;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}

const frames = new WeakMap<Batch, Buffer[]>();

/** Returns the WebSocket frame of an event. The frame is encoded once and shared by all sockets. */
export function eventFrame(batch: Batch, index: number): Buffer {
  let made = frames.get(batch);
  if (made === undefined) frames.set(batch, (made = []));
  return (made[index] ??= textFrame(envelopeText(batch, index)));
}

import { type Batch, envelopeText } from '../journal/index.js';

/** FIN bit and opcode of a text frame (RFC 6455, 5.2). */
const TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * Encodes a text as a WebSocket frame of a server: unmasked and uncompressed. Encoding a frame once for all sockets is
 * several times cheaper than `ws`, which encodes the message for each socket.
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

/** The frame of an event, encoded once and shared by all sockets. */
export function eventFrame(batch: Batch, index: number): Buffer {
  let made = frames.get(batch);
  if (made === undefined) frames.set(batch, (made = []));
  return (made[index] ??= textFrame(envelopeText(batch, index)));
}

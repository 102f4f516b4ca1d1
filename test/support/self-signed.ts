import { generateKeyPairSync, sign } from 'node:crypto';

/** Type tags of DER, the binary encoding of certificates. */
const [INTEGER, BIT_STRING, OCTET_STRING, UTF8, SEQUENCE, SET] = [0x02, 0x03, 0x04, 0x0c, 0x30, 0x31];
const UTC_TIME = 0x17;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const [VERSION, EXTENSIONS] = [0xa0, 0xa3];

/** Object identifiers of certificate fields, encoded in DER. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

const DAY_MS = 86_400_000;

/** Creates a key and a self-signed certificate for `localhost` and 127.0.0.1, both in PEM. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from('localhost')))));
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const names = der(
    SEQUENCE,
    der(DNS_NAME, Buffer.from('localhost')),
    der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])),
  );
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, names)))),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = der(SEQUENCE, body, algorithm, signature);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** Encodes a time as the DER type UTCTime, for example `261126143610Z`. */
function utcTime(at: number): Buffer {
  return der(UTC_TIME, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/\D/g, '')}Z`));
}

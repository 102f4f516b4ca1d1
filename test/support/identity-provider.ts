import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSign, type KeyObject, randomUUID } from 'node:crypto';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose';

/** A key with which an identity provider signs tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: Awaited<ReturnType<typeof importPKCS8>>;
  readonly jwk: JWK;
}

/** Responds to a request for the public keys (JWKS). */
export type JwksBehavior = (request: IncomingMessage, response: ServerResponse) => void;

export type Claims = Readonly<Record<string, unknown>>;

export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { kid, alg, privateKey: await importPKCS8(await exportPKCS8(privateKey), alg), jwk };
}

/** Returns a signed token (RS256) with exactly the given header and payload, even if they are invalid JSON. */
export function rawToken(header: string, payload: string, key: KeyObject): string {
  const signed = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

/** A local identity provider. Tests can change its keys, make it send wrong responses, and make it unreachable. */
export class IdentityProvider {
  readonly audience = 'workflow-service';
  /** Number of requests for the public keys. */
  requests = 0;
  behavior: JwksBehavior;
  keys: readonly SigningKey[];
  private isAway = false;

  private constructor(
    first: SigningKey,
    private readonly port: number,
    private readonly server: Server,
  ) {
    this.keys = [first];
    this.behavior = this.honest;
    this.attach();
  }

  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new IdentityProvider(await signingKey('first'), port, server);
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get jwksUrl(): string {
    return `${this.issuer}/jwks`;
  }

  readonly honest: JwksBehavior = (_, response) => {
    response.setHeader('content-type', 'application/jwk-set+json');
    response.end(JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }));
  };

  /** Returns a valid token with some claims replaced. A claim with the value undefined is omitted. */
  async token(
    now: number,
    claims: Claims = {},
    {
      key = this.keys[0],
      header = {},
    }: { readonly key?: SigningKey | undefined; readonly header?: Claims } = {},
  ): Promise<string> {
    if (key === undefined) throw new Error('The identity provider has no signing key.');
    const payload = Object.fromEntries(
      Object.entries({ ...this.claims(now), ...claims }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(payload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  claims(now: number): Claims {
    const seconds = Math.floor(now / 1000);
    return {
      iss: this.issuer,
      aud: this.audience,
      sub: 'subject-1',
      jti: randomUUID(),
      iat: seconds,
      exp: seconds + 300,
      email: 'grace@example.com',
      email_verified: true,
      name: 'Grace Hopper',
    };
  }

  /**
   * Makes the identity provider unreachable by closing every connection. Its port stays open, so that no other test
   * gets the port.
   */
  leave(): void {
    this.isAway = true;
    this.server.closeAllConnections();
  }

  comeBack(): void {
    this.isAway = false;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private attach(): void {
    this.server.on('connection', (socket) => {
      if (this.isAway) socket.destroy();
    });
    this.server.on('request', (request, response) => {
      this.requests += 1;
      this.behavior(request, response);
    });
  }
}

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Number of further ports to try if the requested port is in use and `orNext` is true. */
const MORE_PORTS = 20;
const LAST_PORT = 65_535;

export class CannotListenError extends Error {
  override readonly name = 'CannotListenError';
}

export interface ListenRequest {
  readonly host: string;
  /** Port on which the server listens. With 0, the operating system chooses a free port. */
  readonly port: number;
  readonly orNext: boolean;
}

/**
 * @returns the port on which the server listens
 *
 * @throws CannotListenError
 */
export async function listen(server: Server, { host, port, orNext }: ListenRequest): Promise<number> {
  const last = orNext ? Math.min(port + MORE_PORTS, LAST_PORT) : port;
  for (let candidate = port; ; candidate += 1) {
    try {
      await listenOnce(server, candidate, host);
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && candidate < last) continue;
      throw new CannotListenError(explain(code, { host, port, last }, error), { cause: error });
    }
  }
}

function listenOnce(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      server.off('error', settle).off('listening', settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    server.once('error', settle).once('listening', settle);
    server.listen(port, host);
  });
}

function explain(
  code: string | undefined,
  { host, port, last }: { readonly host: string; readonly port: number; readonly last: number },
  error: unknown,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return last === port
        ? `Port ${port} of ${host} is used by another program. Stop it, or set PORT to another port.`
        : `The ports ${port} to ${last} of ${host} are all used by other programs. Set PORT to another port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set PORT to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST "${host}" is not an address of this machine. Set HOST to an address of the machine, such as 127.0.0.1.`;
    default:
      return `The service cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

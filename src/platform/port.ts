/** Thrown when a port is used that no upper room has connected: an error in the composition of the application. */
export class PortNotConnectedError extends Error {
  override readonly name = 'PortNotConnectedError';

  constructor(port: string) {
    super(`Nothing is connected to ${port}. The module that provides its adapter is not imported.`);
  }
}

/**
 * A dependency of a lower room on a room above it. The lower room provides and exports the port; the adapter, a
 * provider of the upper room, injects the port and connects itself in its constructor. Modules import downwards only.
 */
export abstract class Port<Adapter extends object> {
  private connected: Adapter | null = null;

  connect(adapter: Adapter): void {
    this.connected = adapter;
  }

  /** @throws PortNotConnectedError */
  get adapter(): Adapter {
    if (this.connected === null) throw new PortNotConnectedError(this.constructor.name);
    return this.connected;
  }
}

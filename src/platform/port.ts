/** Thrown when code uses a port that no adapter is connected to: the modules of the application are incomplete. */
export class PortNotConnectedError extends Error {
  override readonly name = 'PortNotConnectedError';

  constructor(port: string) {
    super(`No adapter is connected to ${port}. Import the module that provides its adapter.`);
  }
}

/**
 * A dependency of a lower room on a higher room. The lower room provides and exports the port. The adapter is a
 * provider of the higher room; its constructor injects the port and connects the adapter. So modules import only
 * lower rooms.
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

export class PortNotConnectedError extends Error {
  override readonly name = 'PortNotConnectedError';

  constructor(port: string) {
    super(`The port class ${port} has no adapter. Import the module that provides the adapter.`);
  }
}

/**
 * Lets a lower module call a higher module without importing that module. The lower module exports the port. An
 * adapter of the higher module connects itself to the port in its constructor.
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

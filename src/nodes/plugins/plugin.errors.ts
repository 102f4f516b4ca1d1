/** Thrown when a plug-in cannot be used. The message continues after its name and says how to fix it. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}

/** Thrown when a plug-in cannot be used; the message follows its name and says what to do. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}

/**
 * Thrown when a plug-in cannot be used. The message follows the name of the plug-in in a sentence, and says how to
 * fix the error.
 */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}

/**
 * Thrown when a plug-in cannot be used. The message lacks its subject, because the caller puts the name of the plug-in
 * before the message. The message also says how to fix the error.
 */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}

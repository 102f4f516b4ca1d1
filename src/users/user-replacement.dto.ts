import { IgnoresReadOnly } from '../http/index.js';
import { ChangeUserBody } from './user.dto.js';
import { MeView } from './user.view.js';

/**
 * The body of a user update by PUT. The body accepts every field of the caller's own record, so that clients can send
 * back what they read.
 */
@IgnoresReadOnly(() => MeView)
export class ReplaceUserBody extends ChangeUserBody {}

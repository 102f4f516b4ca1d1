import { IgnoresReadOnly } from '../http/index.js';
import { ChangeUserBody } from './user.dto.js';
import { MeView } from './user.view.js';

/** The body of a user update. It accepts every field that a read of the caller's own record has. */
@IgnoresReadOnly(() => MeView)
export class ReplaceUserBody extends ChangeUserBody {}

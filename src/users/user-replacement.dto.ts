import { IgnoresReadOnly } from '../http/index.js';
import { ChangeUserBody } from './user.dto.js';
import { MeView } from './user.view.js';

/** What a client sends to update a person; a read of oneself has the most fields. */
@IgnoresReadOnly(() => MeView)
export class ReplaceUserBody extends ChangeUserBody {}

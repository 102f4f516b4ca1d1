import { Inject, Injectable } from '@nestjs/common';
import { atLeast, type Principal } from '../access/index.js';
import { AuditTrail } from '../audit/index.js';
import { ValidationError } from '../errors/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { changeTime, CLOCK, type Clock, defined, isoTime, newId } from '../platform/index.js';
import type { SavedView, ViewPage } from './saved-view.js';
import {
  SavedViewNotFoundError,
  SavedViewOutOfReachError,
  TeamViewError,
  TooManySavedViewsError,
} from './saved-views.errors.js';
import { SavedViewsRepository } from './saved-views.repository.js';

export type SavedViewInput = Pick<SavedView, 'page' | 'name' | 'visibility' | 'settings'>;

/** Maximum number of saved views of one page that a person sees, including views of the team. */
const MAX_VIEWS = 100;

/** Maximum length of the settings of a saved view, in characters of JSON. */
const MAX_SETTINGS = 8_192;

@Injectable()
export class SavedViewsService {
  constructor(
    private readonly repository: SavedViewsRepository,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list(principal: Principal, page: ViewPage | undefined, place: IdPlace): Promise<PageRows<SavedView>> {
    const { teamId, userId } = principal;
    return this.repository.list(defined({ teamId, userId, page }), place);
  }

  /** @throws SavedViewNotFoundError; SavedViewOutOfReachError. */
  async read(principal: Principal, id: string): Promise<SavedView> {
    const view = await this.repository.find(id);
    if (view === undefined) throw new SavedViewNotFoundError(id);
    if (view.teamId !== principal.teamId) throw new SavedViewOutOfReachError(id);
    if (view.visibility === 'own' && view.userId !== principal.userId) throw new SavedViewNotFoundError(id);
    return view;
  }

  /** @throws TeamViewError; TooManySavedViewsError; ValidationError when the settings are too long. */
  async create(principal: Principal, input: SavedViewInput): Promise<SavedView> {
    const { teamId, userId } = principal;
    requireShort(input);
    if (input.visibility === 'team') requireSharing(principal, userId);
    await this.requireRoom(teamId, userId, input.page);
    const now = isoTime(this.clock.now());
    const view = { ...input, id: newId(), teamId, userId, revision: 1, createdAt: now, updatedAt: now };
    const change = { action: 'saved_view.created', after: view, recorded } as const;
    await this.audit.commitChange(principal, change, [this.repository.insertion(view)], view.id);
    return view;
  }

  /**
   * @throws SavedViewNotFoundError; SavedViewOutOfReachError; TeamViewError; TooManySavedViewsError;
   * SavedViewChangedError; ValidationError.
   */
  async change(principal: Principal, id: string, input: Partial<SavedViewInput>): Promise<SavedView> {
    const view = await this.read(principal, id);
    requireShort(input);
    if (view.visibility === 'team' || input.visibility === 'team') requireSharing(principal, view.userId);
    if (input.page !== undefined && input.page !== view.page)
      await this.requireRoom(view.teamId, view.userId, input.page);
    const updatedAt = changeTime(view.updatedAt, this.clock.now());
    const next = { ...view, ...input, revision: view.revision + 1, updatedAt };
    const change = { action: 'saved_view.updated', before: view, after: next, recorded } as const;
    await this.audit.commitChange(principal, change, [this.repository.change(view, { ...input, updatedAt })]);
    return next;
  }

  /** @throws SavedViewNotFoundError; SavedViewOutOfReachError; TeamViewError; SavedViewChangedError. */
  async delete(principal: Principal, id: string): Promise<void> {
    const view = await this.read(principal, id);
    if (view.visibility === 'team') requireSharing(principal, view.userId);
    await this.audit.commitChange(principal, { action: 'saved_view.deleted', before: view, recorded }, [
      this.repository.deletion(view),
    ]);
  }

  /** @throws TooManySavedViewsError if a person already sees the maximum number of views of a page. */
  private async requireRoom(teamId: string, userId: string, page: ViewPage): Promise<void> {
    if ((await this.repository.count({ teamId, userId, page })) >= MAX_VIEWS)
      throw new TooManySavedViewsError(MAX_VIEWS);
  }
}

/**
 * Returns the fields of a saved view for the audit log. Filters are omitted, because they may contain values of
 * metadata.
 */
function recorded({ page, name, visibility, userId }: SavedView): object {
  return { page, name, visibility, user_id: userId };
}

/** @throws TeamViewError unless the caller is an admin, or a member and the creator. */
function requireSharing({ role, userId }: Principal, creatorId: string): void {
  if (atLeast(role, 'admin') || (atLeast(role, 'member') && userId === creatorId)) return;
  throw new TeamViewError();
}

function requireShort({ settings }: Partial<SavedViewInput>): void {
  if (settings !== undefined && JSON.stringify(settings).length > MAX_SETTINGS)
    throw ValidationError.of('settings', 'too_long', `must have at most ${MAX_SETTINGS} characters of JSON`);
}

import { type PlanLimits, type Settings, SettingsError } from '../settings/index.js';
import type { BucketLimits } from './token-bucket.js';

export interface RateLimitPlan {
  readonly name: string;
  readonly limits: BucketLimits;
}

type PlanSettings = Pick<Settings, 'RATE_LIMIT_CATALOG' | 'RATE_LIMIT_PLANS' | 'DEFAULT_PLAN'> &
  Partial<Pick<Settings, 'TEAM_RATE_LIMIT_FACTOR'>>;

interface TeamOfCaller {
  readonly plan: string;
  readonly teamId: string;
}
type GivenLimits = Pick<PlanLimits, 'requests_per_minute'> & { readonly burst?: number | undefined };

/** Default limits of the Enterprise plan, beyond the capacity of a single process. */
const ENTERPRISE: GivenLimits = { requests_per_minute: 600_000, burst: 100_000 };

/** The two tables of plans in the interface specification, section 8. */
const CATALOGUES: Readonly<Record<Settings['RATE_LIMIT_CATALOG'], Readonly<Record<string, GivenLimits>>>> = {
  tiered: {
    free: { requests_per_minute: 60, burst: 100 },
    pro: { requests_per_minute: 600, burst: 1000 },
    enterprise: ENTERPRISE,
  },
  standard: {
    standard: { requests_per_minute: 1000 },
    pro: { requests_per_minute: 5000 },
    enterprise: ENTERPRISE,
  },
};

/** The plan of teams without an assigned plan. */
export function defaultPlan(settings: Pick<Settings, 'DEFAULT_PLAN'>): string {
  return settings.DEFAULT_PLAN ?? 'enterprise';
}

/** Default ratio of a team's shared bucket to the bucket of its plan. */
const DEFAULT_TEAM_FACTOR = 10;

/** Prefix of a team's id in `RATE_LIMIT_PLANS`. */
const TEAM_PREFIX = 'team:';

/**
 * The plans of the catalog, changed and extended by `RATE_LIMIT_PLANS`, such as `{"pro": {"requests_per_minute": 900,
 * "burst": 1500}}`.
 */
export class RateLimitPlans {
  private readonly plans = new Map<string, RateLimitPlan>();
  private readonly teams = new Map<string, BucketLimits>();
  private readonly fallback: RateLimitPlan;
  private readonly teamFactor: number;
  private readonly shared = new Map<BucketLimits, BucketLimits>();

  /** @throws SettingsError when `DEFAULT_PLAN` is not the name of a plan. */
  constructor(settings: PlanSettings) {
    this.teamFactor = settings.TEAM_RATE_LIMIT_FACTOR ?? DEFAULT_TEAM_FACTOR;
    const given = { ...CATALOGUES[settings.RATE_LIMIT_CATALOG], ...settings.RATE_LIMIT_PLANS };
    for (const [name, figures] of Object.entries(given)) {
      if (name.startsWith(TEAM_PREFIX)) this.teams.set(name.slice(TEAM_PREFIX.length), limitsOf(figures));
      else this.plans.set(name, { name, limits: limitsOf(figures) });
    }
    const fallback = this.plans.get(defaultPlan(settings));
    if (fallback === undefined)
      throw new SettingsError([
        `DEFAULT_PLAN must be the name of a plan (${[...this.plans.keys()].join(', ')}), not "${defaultPlan(settings)}"`,
      ]);
    this.fallback = fallback;
  }

  get names(): readonly string[] {
    return [...this.plans.keys()];
  }

  /**
   * Whether a plan is at most the plan of a key's creator.
   *
   * @returns undefined if no plan has this name
   */
  isWithin(name: string, maker: TeamOfCaller & { readonly keyPlan?: string }): boolean | undefined {
    const plan = this.plans.get(name);
    return plan === undefined ? undefined : isAtMost(plan.limits, this.planOf(maker).limits);
  }

  /** The plan of the key, or the team's plan if that plan is lower. */
  planOf(caller: TeamOfCaller & { readonly keyPlan?: string }): RateLimitPlan {
    const team = this.teamPlanOf(caller);
    const own = caller.keyPlan === undefined ? undefined : this.plans.get(caller.keyPlan);
    return own !== undefined && isAtMost(own.limits, team.limits) ? own : team;
  }

  /** Limits of the bucket that all callers of a team share: a multiple of the team's plan. */
  sharedLimitsOf(caller: TeamOfCaller): BucketLimits {
    const { limits } = this.teamPlanOf(caller);
    let shared = this.shared.get(limits);
    if (shared === undefined) {
      shared = {
        capacity: limits.capacity * this.teamFactor,
        refillPerMinute: limits.refillPerMinute * this.teamFactor,
      };
      this.shared.set(limits, shared);
    }
    return shared;
  }

  /** The plan of a team, or the default plan instead of an unknown plan. */
  private teamPlanOf(caller: TeamOfCaller): RateLimitPlan {
    const plan = this.plans.get(caller.plan) ?? this.fallback;
    if (this.teams.size === 0) return plan;
    const own = this.teams.get(caller.teamId);
    return own === undefined ? plan : { name: plan.name, limits: own };
  }
}

/** Converts configured limits to limits of a bucket. The default burst is the number of requests per minute. */
function limitsOf({ requests_per_minute, burst = requests_per_minute }: GivenLimits): BucketLimits {
  return { capacity: burst, refillPerMinute: requests_per_minute };
}

function isAtMost(limits: BucketLimits, most: BucketLimits): boolean {
  return limits.refillPerMinute <= most.refillPerMinute && limits.capacity <= most.capacity;
}

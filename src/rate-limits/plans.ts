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

/**
 * Default limits of the Enterprise plan. The limits have no practical effect, because one process cannot handle this
 * many requests.
 */
const ENTERPRISE: GivenLimits = { requests_per_minute: 600_000, burst: 100_000 };

/**
 * Limits of the rate-limit plans in the two catalogs, `tiered` and `standard`. Section 8 of the interface specification
 * defines the plans.
 */
const CATALOGS: Readonly<Record<Settings['RATE_LIMIT_CATALOG'], Readonly<Record<string, GivenLimits>>>> = {
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

/** Returns the name of the rate-limit plan for teams without an assigned plan. */
export function defaultPlan(settings: Pick<Settings, 'DEFAULT_PLAN'>): string {
  return settings.DEFAULT_PLAN ?? 'enterprise';
}

/**
 * Default factor for the limits of a whole team. All callers of a team together may send this many times the requests
 * that the plan allows to one caller.
 */
const DEFAULT_TEAM_FACTOR = 10;

/**
 * Prefix of keys in the setting `RATE_LIMIT_PLANS`. A key with this prefix and the id of a team sets the
 * limits of the team.
 */
const TEAM_PREFIX = 'team:';

/**
 * The rate-limit plans of the selected catalog. The setting `RATE_LIMIT_PLANS` changes or adds plans, such as `{"pro":
 * {"requests_per_minute": 900, "burst": 1500}}`.
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
    const given = { ...CATALOGS[settings.RATE_LIMIT_CATALOG], ...settings.RATE_LIMIT_PLANS };
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
   * Whether a rate-limit plan is at most as high as the plan of the caller who creates a key.
   *
   * @returns undefined if no plan has this name
   */
  isWithin(name: string, maker: TeamOfCaller & { readonly keyPlan?: string }): boolean | undefined {
    const plan = this.plans.get(name);
    return plan === undefined ? undefined : isAtMost(plan.limits, this.planOf(maker).limits);
  }

  /** Returns the rate-limit plan of a caller: the lower one of the key's plan and the team's plan. */
  planOf(caller: TeamOfCaller & { readonly keyPlan?: string }): RateLimitPlan {
    const team = this.teamPlanOf(caller);
    const own = caller.keyPlan === undefined ? undefined : this.plans.get(caller.keyPlan);
    return own !== undefined && isAtMost(own.limits, team.limits) ? own : team;
  }

  /**
   * Returns the limits that all callers of a team share: the limits of the team's plan, multiplied by the team factor.
   */
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

  /**
   * Returns the rate-limit plan of a team, with the limits that `RATE_LIMIT_PLANS` may set for the team. An unknown
   * plan is replaced by the default plan.
   */
  private teamPlanOf(caller: TeamOfCaller): RateLimitPlan {
    const plan = this.plans.get(caller.plan) ?? this.fallback;
    if (this.teams.size === 0) return plan;
    const own = this.teams.get(caller.teamId);
    return own === undefined ? plan : { name: plan.name, limits: own };
  }
}

/**
 * Converts the limits in a setting to the limits of a token bucket. The default of `burst` is the number of requests
 * per minute.
 */
function limitsOf({ requests_per_minute, burst = requests_per_minute }: GivenLimits): BucketLimits {
  return { capacity: burst, refillPerMinute: requests_per_minute };
}

function isAtMost(limits: BucketLimits, most: BucketLimits): boolean {
  return limits.refillPerMinute <= most.refillPerMinute && limits.capacity <= most.capacity;
}

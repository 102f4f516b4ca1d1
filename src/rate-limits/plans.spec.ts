import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../settings/index.js';
import { RateLimitPlans } from './plans.js';

const TEAM = '0199b4c0-0000-7000-8000-000000000001';

function plansOf(environment: Readonly<Record<string, string>>): RateLimitPlans {
  return new RateLimitPlans(readSettings(environment));
}

function figures(plans: RateLimitPlans, plan: string, teamId = TEAM): string {
  const { name, limits } = plans.planOf({ plan, teamId });
  return `${name} ${limits.refillPerMinute}/${limits.capacity}`;
}

describe('RateLimitPlans', () => {
  it('the catalog `tiered` contains the plans `free`, `pro` and `enterprise`', () => {
    const plans = plansOf({ RATE_LIMIT_CATALOG: 'tiered' });
    expect(['free', 'pro', 'enterprise'].map((plan) => figures(plans, plan))).toEqual([
      'free 60/100',
      'pro 600/1000',
      'enterprise 600000/100000',
    ]);
  });

  it('the catalog `standard` contains the plans `standard`, `pro` and `enterprise`', () => {
    const plans = plansOf({ RATE_LIMIT_CATALOG: 'standard' });
    expect(['standard', 'pro', 'enterprise'].map((plan) => figures(plans, plan))).toEqual([
      'standard 1000/1000',
      'pro 5000/5000',
      'enterprise 600000/100000',
    ]);
  });

  it.each([
    ['the limits of the self-hosted plan', {}, 'enterprise 600000/100000'],
    ['the limits of the default plan', { DEFAULT_PLAN: 'free' }, 'free 60/100'],
    [
      'the limits of the default plan in the catalog `standard`',
      { RATE_LIMIT_CATALOG: 'standard', DEFAULT_PLAN: 'standard' },
      'standard 1000/1000',
    ],
  ])('a team with an unknown plan gets %s', (_, environment, expected) => {
    const plans = plansOf(environment);
    expect(['gold', '', '__proto__', 'constructor'].map((plan) => figures(plans, plan))).toEqual(
      Array(4).fill(expected),
    );
  });

  it('RATE_LIMIT_PLANS can change any plan and add plans', () => {
    const plans = plansOf({
      RATE_LIMIT_PLANS: JSON.stringify({
        pro: { requests_per_minute: 900, burst: 1500 },
        enterprise: { requests_per_minute: 7000 },
        gold: { requests_per_minute: 5, burst: 6 },
      }),
      DEFAULT_PLAN: 'gold',
    });
    expect(['free', 'pro', 'enterprise', 'gold', 'none'].map((plan) => figures(plans, plan))).toEqual([
      'free 60/100',
      'pro 900/1500',
      'enterprise 7000/7000',
      'gold 5/6',
      'gold 5/6',
    ]);
  });

  it('RATE_LIMIT_PLANS can set the limits of a single team', () => {
    const plans = plansOf({
      RATE_LIMIT_PLANS: JSON.stringify({ [`team:${TEAM}`]: { requests_per_minute: 7 } }),
    });
    expect(figures(plans, 'pro')).toBe('pro 7/7');
    expect(figures(plans, 'pro', 'another')).toBe('pro 600/1000');
    expect(figures(plans, `team:${TEAM}`, 'another')).toBe('enterprise 600000/100000');
  });

  it('the error about an unknown DEFAULT_PLAN lists the known plans', () => {
    expect(() => plansOf({ DEFAULT_PLAN: 'standard' })).toThrow(SettingsError);
    expect(() => plansOf({ DEFAULT_PLAN: 'standard' })).toThrow(/\(free, pro, enterprise\), not "standard"/);
  });
});

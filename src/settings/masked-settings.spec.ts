import { expect, it } from 'vitest';
import { maskedSettings } from './masked-settings.js';
import { readSettings } from './settings.js';

const ISSUER = {
  issuer: 'https://issuer.example',
  audience: 'workflows',
  default_team: '0193e8f0-0000-7000-8000-000000000001',
};

it('the masked settings contain no password of a URL and no token', () => {
  const settings = readSettings({
    DATABASE_URL: 'postgres://me:hidden@db/flows',
    REDIS_URL: 'redis://:hidden@cache',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:hidden@traces.example',
    METRICS_TOKEN: 'hidden-hidden-hidden',
    TOKEN_ISSUERS: JSON.stringify([{ ...ISSUER, jwks_url: 'https://me:hidden@keys.example/jwks' }]),
  });
  const shown = maskedSettings(settings);
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(shown).toMatchObject({
    DATABASE_URL: 'postgres://me:***@db/flows',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:***@traces.example',
    PORT: settings.PORT,
  });
});

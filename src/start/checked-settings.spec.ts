import { expect, it } from 'vitest';
import { checkedSettings } from './checked-settings.js';

it('tells every fault that only a room can see, at once', () => {
  const read = (): unknown => checkedSettings({ TRUSTED_PROXIES: '10.0.0.0/8,proxy', EGRESS_ALLOW: 'a b' });
  expect(read).toThrow(
    expect.objectContaining({
      name: 'SettingsError',
      faults: [
        expect.stringContaining('TRUSTED_PROXIES: "proxy"'),
        expect.stringContaining('EGRESS_ALLOW: "a b"'),
      ],
    }),
  );
});

it('passes on what is right', () => {
  expect(
    checkedSettings({ TRUSTED_PROXIES: '10.0.0.0/8', EGRESS_ALLOW: '127.0.0.1:80', PORT: '1' }).PORT,
  ).toBe(1);
});

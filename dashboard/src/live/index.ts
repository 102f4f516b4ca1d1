export { LiveProvider, useLiveEvents, useLiveFeed, useLiveState } from './live.tsx';
export type { LiveState } from './live-feed.ts';
export { useNewCount } from './use-new-count.ts';
export { useLiveRefresh } from './use-live-refresh.ts';

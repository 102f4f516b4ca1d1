import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from './build/precompressed.ts';

/** The service that the development server hands calls on to. */
const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react(), tailwindcss(), precompressed()],
  experimental: {
    // Scripts and styles find their files beside themselves, so the dashboard works below any path; the service
    // writes that path into the document.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    target: 'es2023',
    manifest: true,
    // The content security policy takes nothing from data: but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    host: '127.0.0.1',
    // The Host stays that of the page: the service compares it with the Origin.
    proxy: { '/v1': service, '/server': service, '/health': service, '/ws': { target: service, ws: true } },
  },
});

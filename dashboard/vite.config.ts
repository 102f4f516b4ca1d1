import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { translated } from './build/language.ts';
import { precompressed } from './build/precompressed.ts';
import { preloadedFonts } from './build/preloaded-fonts.ts';

/** The development server forwards API requests to this service. */
const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000';

/** Language of the texts: a folder of `src/texts`. */
const language = process.env['DASHBOARD_LANGUAGE'] ?? 'en';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [translated(language), react(), tailwindcss(), preloadedFonts(), precompressed()],
  experimental: {
    // With relative URLs, the dashboard works under any `BASE_URL` path.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    target: 'es2023',
    manifest: true,
    // The content security policy allows data: URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    host: '127.0.0.1',
    // Keeps the Host header, because the service compares it with Origin.
    proxy: { '/v1': service, '/server': service, '/health': service, '/ws': { target: service, ws: true } },
  },
});

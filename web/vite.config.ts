import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { apiReference } from './build/api-reference.ts';
import { builtFiles } from './build/built-files.ts';
import { compress } from './build/compress.ts';
import { firstPaint } from './build/first-paint.ts';
import { headOrder } from './build/head-order.ts';
import { importParts, withOwnFile } from './build/import-parts.ts';
import { leafletWithoutHtml } from './build/leaflet-without-html.ts';
import { outlines } from './build/map-outlines.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { serverProxy } from './build/proxy.ts';
import { serviceWorker } from './build/service-worker.ts';
import { dashboardCode, publicCode } from './build/shared-code.ts';
import { smallIcons } from './build/small-icons.ts';

export default defineConfig({
  // One `vite build` runs two builds: dist/ for the browser, then dist/render.mjs, which the server uses to render
  // public pages.
  builder: {},
  environments: {
    ssr: {
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        manifest: false,
        emptyOutDir: false,
        copyPublicDir: false,
        rollupOptions: {
          input: 'src/app/render.tsx',
          output: { codeSplitting: false, entryFileNames: 'render.mjs' },
        },
      },
    },
  },
  plugins: [
    react(),
    firstPaint(),
    importParts(),
    smallIcons(),
    preloadFonts(/(?:fraunces|instrument-sans)-latin-wght-normal/),
    leafletWithoutHtml(),
    outlines(),
    apiReference(),
    builtFiles(),
    headOrder(),
    serviceWorker(),
    compress(),
  ],
  build: {
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false, resolveDependencies: withOwnFile },
    manifest: true,
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              // Packages that every page needs and few releases change are in one file, which stays cached.
              name: 'react',
              test: /node_modules\/(?:react|react-dom|scheduler)\//,
              priority: 1,
            },
            // Many small files compress worse than one. This one has all other code that every page needs.
            { name: 'app', tags: ['$initial'] },
            {
              // What the login and register pages share with each other, and partly with the settings.
              name: 'identity',
              test: /features\/identity\/(?:auth-|checks|form-|panels|pass|provider-|request-|return-|social-|use-)/,
              includeDependenciesRecursively: false,
            },
            // What three or more parts of the dashboard need is as good as always needed there: half as many files are loaded.
            { name: dashboardCode, minShareCount: 3, includeDependenciesRecursively: false },
            { name: publicCode, minShareCount: 3, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: serverProxy('http://127.0.0.1:8080'),
  },
});

import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vite'

import { thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the pages into dist/web; the coordinator serves them and reads the manifest (coordinator/pages/assets.ts). */
export default defineConfig({
  root: here('.'),
  base: '/',
  publicDir: here('./public'),
  clearScreen: false,
  plugins: [thirdPartyLicenses('assets/THIRD-PARTY-LICENSES.txt')],
  css: {
    transformer: 'lightningcss',
    lightningcss: { cssModules: { pattern: '[local]_[hash]' } },
  },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    sourcemap: 'hidden',
    target: 'es2023',
    cssMinify: 'lightningcss',
    // The shell preloads what a page needs; an inlined file would need `data:` in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: here('./main.tsx'),
      // Nearly every page uses most of these: as one file they pack better than as forty, and are there before the page.
      // The open palette and the list of keys and the confirmation are loaded when they open, the marks of invisible characters when a text has
      // some, messages of administrators when there are any, and what only lists and forms use with the pages that have them.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'kit',
              test: /\/src\/web\/(?:kit(?!\/(?:rows|row-|combobox|suggested-|table|shell-word))|api(?!\/(?:upload|use-whole-list|passkeys))|live|frame(?!\/(?:palette-|broadcast-|shortcut-list|confirmation-))|text(?!\/(?:marks|hidden-)))\//,
            },
            // Each would be a file of its own, and a request costs more than its hundred bytes.
            { name: 'icons', test: /\/node_modules\/lucide\//, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // A worker loads parts of itself, such as the languages of its texts.
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

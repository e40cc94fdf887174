import { rmSync } from 'node:fs'

import { defineConfig } from 'rolldown'

import { thirdPartyLicenses } from './scripts/third-party-licenses.mjs'

/**
 * Packages that are loaded from node_modules: better-sqlite3 has native code, ssh2 may have it, swagger-ui-dist is read as files, and of
 * the packages that dockerode loads, the runner replaces some (src/runner/executor/docker/light-client.ts).
 */
export const EXTERNAL = ['better-sqlite3', 'dockerode', 'pg-native', 'ssh2', 'swagger-ui-dist']

/**
 * Bundles src/ and the packages that it imports: to find, read and compile 2,000 modules takes most of the start of a
 * process. Each command is a chunk of its own, which is loaded when it is run.
 */
export default defineConfig({
  input: {
    'cli/main': 'src/cli/main.ts',
    // A process of its own.
    'chunks/launcher-process': 'src/git/launcher-process.js',
    // Worker threads.
    'chunks/checkpoint-thread': 'src/coordinator/database/checkpoint-thread.js',
    'chunks/markdown-worker': 'src/lib/markdown/markdown-worker.js',
    'chunks/trace-worker': 'src/coordinator/ci/storage/trace-index/trace-worker.js',
  },
  platform: 'node',
  external: [/^node:/, ...EXTERNAL],
  transform: { target: 'node20' },
  plugins: [cleanFolders('dist/cli', 'dist/chunks'), thirdPartyLicenses('THIRD-PARTY-LICENSES.txt')],
  output: {
    dir: 'dist',
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    // So that a stack trace names the functions of the source.
    keepNames: true,
    // A process keeps the text of its modules in memory, with two bytes for each character of one that is not all
    // ASCII. Licences are in the file that the plugin writes.
    comments: false,
    charset: 'ascii',
  },
})

/**
 * Removes what the last build wrote. `cleanDir` would also remove the pages, which have a build of their own.
 * @param {string[]} folders
 * @returns {import('rolldown').Plugin}
 */
function cleanFolders(...folders) {
  return {
    name: 'clean-folders',
    buildStart() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

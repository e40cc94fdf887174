import { defineConfig } from 'rolldown'
import licensePlugin from 'rollup-plugin-license'

// The types of this CommonJS module describe an ES module.
const license = /** @type {typeof licensePlugin.default} */ (/** @type {unknown} */ (licensePlugin))

/**
 * Packages that are loaded from node_modules: better-sqlite3 has native code, swagger-ui-dist is read as files, and of
 * the packages that dockerode loads, the runner replaces some (src/runner/executor/docker/light-client.ts).
 */
const EXTERNAL = ['better-sqlite3', 'dockerode', 'pg-native', 'swagger-ui-dist']

/**
 * Bundles src/ and the packages that it imports: to find, read and compile 2,000 modules takes most of the start of a
 * process. Each command is a chunk of its own, which is loaded when it is run.
 */
export default defineConfig({
  input: { 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  external: [/^node:/, ...EXTERNAL],
  transform: { target: 'node20' },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
  output: {
    dir: 'dist',
    cleanDir: true,
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    // So that a stack trace names the functions of the source.
    keepNames: true,
  },
})

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { defineConfig } from 'rolldown'

/**
 * Packages that are loaded from node_modules: better-sqlite3 has native code, ssh2 may have it, swagger-ui-dist is read as files, and of
 * the packages that dockerode loads, the runner replaces some (src/runner/executor/docker/light-client.ts).
 */
const EXTERNAL = ['better-sqlite3', 'dockerode', 'pg-native', 'ssh2', 'swagger-ui-dist']

/**
 * Bundles src/ and the packages that it imports: to find, read and compile 2,000 modules takes most of the start of a
 * process. Each command is a chunk of its own, which is loaded when it is run.
 */
export default defineConfig({
  input: {
    'cli/main': 'src/cli/main.ts',
    // A process of its own.
    'chunks/launcher-process': 'src/git/launcher-process.js',
    // A worker thread.
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

/**
 * Writes the licences of the bundled packages, whose authors ask for that, to `fileName`.
 * @param {string} fileName
 * @returns {import('rolldown').Plugin}
 */
function thirdPartyLicenses(fileName) {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const packages = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0])
      const folders = [...new Set(packages.filter((folder) => folder !== undefined))].sort()
      this.emitFile({
        type: 'asset',
        fileName,
        source: folders.map(licenseOf).join(`\n${'-'.repeat(80)}\n\n`),
      })
    },
  }
}

/**
 * @param {string} folder
 * @returns {string} name, version and licence of the package in `folder`
 */
function licenseOf(folder) {
  const { name, version, license } = /** @type {{ name: string, version: string, license?: string }} */ (
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  )
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  return [`${name} ${version}, ${license ?? 'see below'}\n`, ...texts].join('\n')
}

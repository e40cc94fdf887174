// Builds the pages into dist/web, packs the files and checks their sizes. `--watch` builds again at each change.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { build } from 'vite'

import { root } from '../setup/root.mjs'
import { sizesOf } from './sizes.mjs'

const FOLDER = join(root, 'dist/web')
/** Smaller files do not get smaller on the wire. */
const LEAST_PACKED = 1024

const isWatching = process.argv.includes('--watch')

await build({
  configFile: join(root, 'src/web/vite.config.ts'),
  logLevel: 'warn',
  ...(isWatching && { build: { watch: {} } }),
})
if (!isWatching) {
  packFiles()
  checkSizes()
}

/** Writes what the coordinator sends to clients that accept it: packing is too slow to be done for each request. */
function packFiles() {
  const folder = join(FOLDER, 'assets')
  for (const name of readdirSync(folder).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
    const path = join(folder, name)
    const content = readFileSync(path)
    if (content.length < LEAST_PACKED) continue
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    )
  }
}

/** Prints the sizes of the pages, and fails if one is too large. */
function checkSizes() {
  const { first, pages, problems } = sizesOf(FOLDER)
  const largest = pages.toSorted((a, b) => b.bytes - a.bytes).slice(0, 3)
  const kib = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KiB`
  process.stdout.write(
    `pages: ${kib(first)} for the frame, then at most ${largest.map(({ name, bytes }) => `${kib(bytes)} (${name})`).join(', ')}, with gzip\n`,
  )
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`)
    process.exitCode = 1
  }
}

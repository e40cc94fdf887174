import { createHash } from 'node:crypto'

import { median } from './table.mjs'

const VALUES = 50
const MEGABYTES = 50
const CHUNK_BYTES = 64 * 1024
const TURNS = 3
const LINES = [
  '\x1b[32;1m$ npm ci\x1b[0;m',
  'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory',
  'GET https://registry.example/left-pad/-/left-pad-1.3.0.tgz 200 in 12ms (cache miss)',
  'sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA==',
  '[2026-01-01T00:00:00.000Z] [build 17%] src/index.ts -> dist/index.js: one of many lines',
]

/** What the trace filters let through in a second with many masked values, against the same with none. */
export async function benchMask() {
  const path = new URL('../../.switchyard/modules/runner/trace/trace-filter.js', import.meta.url).href
  /** @type {typeof import('../../src/runner/trace/trace-filter.js')} */
  const { createTraceFilter } = await import(path)
  const log = Buffer.alloc(MEGABYTES * 1_000_000, `${LINES.join('\n')}\n`)
  /** @param {string[]} secrets */
  const speed = (secrets) => {
    const filter = createTraceFilter({ secrets, tokenPrefixes: [], limit: log.length })
    return median(Array.from({ length: TURNS }, () => megabytesPerSecond(filter, log)))
  }
  const [none, many] = [speed([]), speed(Array.from({ length: VALUES }, (_, index) => secret(index)))]
  return [
    {
      name: `masking ${VALUES} values`,
      ours: `${Math.round(many)} MB/s`,
      baseline: 'without any',
      theirs: `${Math.round(none)} MB/s`,
      ratio: many / none,
      target: 'at least 30 MB/s',
    },
  ]
}

/**
 * The same at every run, and of the kinds that there are.
 * @param {number} index
 */
function secret(index) {
  const bytes = createHash('sha256').update(String(index)).digest()
  const kinds = [bytes.toString('hex'), bytes.toString('base64'), `p@ss ${bytes.toString('base64url')}!"'`]
  return kinds[index % kinds.length] ?? ''
}

/**
 * @param {import('../../src/runner/trace/byte-filters.js').ByteFilter} filter
 * @param {Buffer} log
 */
function megabytesPerSecond(filter, log) {
  const start = performance.now()
  for (let at = 0; at < log.length; at += CHUNK_BYTES) filter.push(log.subarray(at, at + CHUNK_BYTES))
  filter.flush()
  return log.length / 1000 / (performance.now() - start)
}

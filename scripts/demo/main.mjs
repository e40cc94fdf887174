// What `npm run demo` runs: a coordinator with the past of a made-up company, and runners that continue it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { startDemo } from './start-demo.mjs'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '0' },
    size: { type: 'string', default: 'full' },
  },
})

const { size } = values
if (size !== 'full' && size !== 'small') throw new Error('--size must be full or small')
const folder = values['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'switchyard-demo-')))
const stopping = new AbortController()
const { signal } = stopping
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(name, () => stopping.abort())
/** @param {string} line */
const report = (line) => console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}`)
try {
  const demo = await startDemo({ folder, port: Number(values.port), size, report, signal })
  console.log(`\n${demo.introduction}`)
  await demo.ended
} catch (error) {
  if (!signal.aborted) throw error
} finally {
  if (values['data-dir'] === undefined) await rm(folder, { recursive: true, force: true })
}

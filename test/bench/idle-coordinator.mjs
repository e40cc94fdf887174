import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { megabytes, processorMilliseconds, residentBytes } from './idle-runner.mjs'
import { stop } from './installation.mjs'
import { formatTime, median } from './table.mjs'

const STARTS = 5
/** After this it has returned what its start needed. */
const QUIET_MILLISECONDS = 60_000
const WATCHED_MILLISECONDS = 20_000

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * A coordinator on an empty folder, without settings: how soon it is ready, and what it takes while nothing happens.
 * Against a program that listens with Fastify.
 * @returns {Promise<Figure[]>}
 */
export async function benchIdleCoordinator() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-idle-'))
  try {
    let folders = 0
    const ours = () => [
      ...['dist/cli/main.js', 'coordinator', '--listen', '127.0.0.1:0'],
      ...['--data-dir', join(folder, String(folders++))],
    ]
    const theirs = () => ['--input-type=module', '--eval', BARE]
    const starts = { ours: await timeStarts(ours), theirs: await timeStarts(theirs) }
    const [busy, bare] = [await watch(ours()), await watch(theirs())]
    const baseline = 'a program that listens with Fastify'
    return [
      {
        name: 'a coordinator on an empty folder, until it listens',
        ours: formatTime(starts.ours),
        theirs: formatTime(starts.theirs),
        ratio: starts.ours / starts.theirs,
        target: 'within 0.8 s',
        baseline,
      },
      {
        name: 'an idle coordinator, processor time of a second',
        ours: `${busy.spent.toFixed(2)} ms`,
        theirs: '1000 ms',
        ratio: busy.spent / 1000,
        target: 'at most 1 ms',
        baseline: 'one busy processor',
      },
      {
        name: 'an idle coordinator, times that it wakes in a second',
        ours: busy.wakes.toFixed(1),
        theirs: bare.wakes.toFixed(1),
        // The bare program does not wake at all.
        ratio: busy.wakes / Math.max(1, bare.wakes),
        baseline,
      },
      {
        name: 'an idle coordinator without settings, memory',
        ours: megabytes(busy.memory),
        theirs: megabytes(bare.memory),
        ratio: busy.memory / bare.memory,
        target: '110 MB',
        baseline,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const BARE = `
import fastify from 'fastify'
const app = fastify()
app.get('/', () => 'ok')
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
`

/** @param {() => string[]} argsOf */
async function timeStarts(argsOf) {
  /** @type {number[]} */
  const times = []
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now()
    const child = await startListening(argsOf())
    times.push(performance.now() - began)
    await stop(child, 'SIGTERM')
  }
  return median(times)
}

/**
 * What the process takes in a second when it has nothing to do.
 * @param {string[]} args
 */
async function watch(args) {
  const child = await startListening(args)
  const pid = child.pid ?? 0
  await sleep(QUIET_MILLISECONDS)
  const before = { spent: await processorMilliseconds(pid), wakes: await wakesOf(pid) }
  await sleep(WATCHED_MILLISECONDS)
  const seconds = WATCHED_MILLISECONDS / 1000
  const spent = ((await processorMilliseconds(pid)) - before.spent) / seconds
  const wakes = ((await wakesOf(pid)) - before.wakes) / seconds
  const memory = await residentBytes(pid)
  await stop(child, 'SIGTERM')
  return { spent, wakes, memory }
}

/**
 * A process that prints a line when it listens.
 * @param {string[]} args
 */
async function startListening(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
    if (/http:\/\//.test(String(chunk))) break
  child.stdout.resume()
  return child
}

/**
 * How often its threads have gone to sleep so far.
 * @param {number} pid
 */
async function wakesOf(pid) {
  const threads = await readdir(`/proc/${pid}/task`)
  const counts = await Promise.all(
    threads.map(async (thread) => {
      const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8')
      return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Agent, request } from 'undici'

import { stop } from './installation.mjs'
import { median } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

const ROUNDS = 5
const WARM_UP = 2

/** @typedef {import('./hostile-requests.mjs').Hostile} Hostile */

/**
 * Figures for classes of requests: of each class the one that blocks the event loop of the coordinator longest, against an
 * empty request to the same coordinator.
 * @param {Observed} coordinator
 * @param {Record<string, Hostile[]>} classes
 * @param {string} target
 */
export async function longestDelays(coordinator, classes, target) {
  const idle = await delayOf(coordinator, made({ method: 'GET', path: '/-/health' }))
  const figures = []
  for (const [name, requests] of Object.entries(classes)) {
    let worst = { delay: 0, label: '' }
    for (const planned of requests) {
      const hostile = made(planned)
      const delay = await delayOf(coordinator, hostile)
      if (delay > worst.delay) worst = { delay, label: labelOf(hostile) }
    }
    process.stderr.write(`  ${name}: ${worst.delay.toFixed(1)} ms (${worst.label})\n`)
    figures.push({
      name: `event loop blocked by ${name}`,
      ours: `${worst.delay.toFixed(1)} ms`,
      baseline: 'an empty request',
      theirs: `${idle.toFixed(1)} ms`,
      ratio: worst.delay / idle,
      target,
    })
  }
  return figures
}

/**
 * Bodies are long, and made only when they are sent.
 * @param {Hostile} hostile
 */
function made(hostile) {
  return { ...hostile, body: typeof hostile.body === 'function' ? hostile.body() : hostile.body }
}

/** @typedef {ReturnType<typeof made>} Made */

/** @param {Made} hostile */
function labelOf({ method, path, body }) {
  const start = String(body ?? '').slice(0, 30)
  return `${method} ${path.slice(0, 60)} ${body?.length ?? 0} bytes ${JSON.stringify(start)}`
}

/**
 * The middle of several rounds, in milliseconds.
 * @param {Observed} coordinator
 * @param {Made} hostile
 */
async function delayOf(coordinator, hostile) {
  /** @type {number[]} */
  const delays = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    await coordinator.ask('reset')
    await send(coordinator, hostile)
    const delay = await coordinator.ask('read')
    if (round >= WARM_UP) delays.push(delay)
  }
  return median(delays)
}

/**
 * @param {Observed} coordinator
 * @param {Made} hostile
 */
async function send({ url }, { method, path, headers = {}, body }) {
  // One connection for each: a server may close one whose body it does not read.
  const dispatcher = new Agent({ pipelining: 0 })
  try {
    const answer = await request(url + path, {
      ...{ method: /** @type {'GET' | 'POST'} */ (method), headers, dispatcher },
      ...(body !== undefined && { body }),
    })
    await answer.body.dump()
  } catch (error) {
    // The answer came before the body was sent, and the connection is closed.
    if (!(error instanceof Error && 'code' in error)) throw error
  } finally {
    await dispatcher.destroy()
  }
}

/** @typedef {Awaited<ReturnType<typeof startObserved>>} Observed */

/**
 * A coordinator of its own that tells how long its event loop was blocked.
 * @param {NodeJS.ProcessEnv} [environment]
 */
export async function startObserved(environment = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-observed-'))
  const port = await freePort()
  const child = fork(
    'dist/cli/main.js',
    [
      'coordinator',
      '--listen',
      `127.0.0.1:${port}`,
      '--data-dir',
      join(folder, 'data'),
      '--log-level',
      'error',
    ],
    {
      execArgv: ['--import', './test/bench/loop-delay.mjs'],
      env: {
        ...process.env,
        SWITCHYARD_ADMIN_TOKEN: ADMIN_TOKEN,
        SWITCHYARD_RATE_LIMITS_UNAUTHENTICATED_PER_MINUTE: '0',
        SWITCHYARD_RATE_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
        SWITCHYARD_RATE_LIMITS_AUTHENTICATED_PER_MINUTE: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  if (child.stdout) await once(child.stdout, 'data') // it listens
  child.stdout?.resume()
  return {
    url: `http://127.0.0.1:${port}`,
    /**
     * The longest delay since the last reset, in milliseconds.
     * @param {'reset' | 'read'} message
     * @returns {Promise<number>}
     */
    async ask(message) {
      const answer = once(child, 'message')
      child.send(message)
      const [delay] = await answer
      return delay
    },
    async stop() {
      child.disconnect()
      await stop(child, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Agent, request } from 'undici'

import { freePort } from './free-port.mjs'
import { stop } from './installation.mjs'
import { median } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

const ROUNDS = 5
const WARM_UP = 2
/** In milliseconds. */
const NOT_WORTH_REPEATING = 15

/** @typedef {import('./hostile-requests.mjs').Hostile} Hostile */

/**
 * For how long a request kept everybody else waiting, in milliseconds: `turn` is the most processor time of the thread in
 * one turn of the event loop, `delay` how late the loop was. Other work on the machine makes only the second one longer.
 * @typedef {{ turn: number, delay: number }} Blocked
 */

/**
 * Figures for classes of requests: of each class the one that blocks the event loop of the coordinator longest, against an
 * empty request to the same coordinator.
 * @param {Observed} coordinator
 * @param {Record<string, Hostile[]>} classes
 * @param {string} target
 */
export async function longestDelays(coordinator, classes, target) {
  const idle = await blockedBy(coordinator, made({ method: 'GET', path: '/-/health' }))
  const figures = []
  for (const [name, requests] of Object.entries(classes)) {
    let worst = { turn: 0, delay: 0, label: '' }
    for (const planned of requests) {
      const hostile = made(planned)
      const blocked = await blockedBy(coordinator, hostile)
      if (process.env['SWITCHYARD_BENCH_EACH_REQUEST']) report('  ', blocked, labelOf(hostile))
      if (blocked.turn > worst.turn) worst = { ...blocked, label: labelOf(hostile) }
    }
    report(name, worst, worst.label)
    figures.push({
      name: `event loop blocked by ${name}`,
      ours: `${worst.turn.toFixed(1)} ms`,
      baseline: 'an empty request',
      theirs: `${idle.turn.toFixed(1)} ms`,
      ratio: worst.turn / idle.turn,
      target,
    })
  }
  return figures
}

/**
 * @param {string} name
 * @param {Blocked} blocked
 * @param {string} label
 */
function report(name, { turn, delay }, label) {
  const times = `${turn.toFixed(1)} ms of processor time, ${delay.toFixed(1)} ms in all`
  process.stderr.write(`  ${name}: ${times} (${label})\n`)
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
 * The middle of several rounds. One that is far below all targets is enough.
 * @param {Observed} coordinator
 * @param {Made} hostile
 * @returns {Promise<Blocked>}
 */
async function blockedBy(coordinator, hostile) {
  /** @type {Blocked[]} */
  const rounds = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    await coordinator.ask('reset')
    await send(coordinator, hostile)
    const blocked = await coordinator.ask('read')
    if (round >= WARM_UP) rounds.push(blocked)
    if (round === WARM_UP && blocked.turn < NOT_WORTH_REPEATING) break
  }
  return {
    turn: median(rounds.map(({ turn }) => turn)),
    delay: median(rounds.map(({ delay }) => delay)),
  }
}

/**
 * @param {Observed} coordinator
 * @param {Made} hostile
 */
async function send({ url }, { method, path, headers = {}, body }) {
  // One connection for each: a server may close one whose body it does not read.
  const dispatcher = new Agent({ pipelining: 0 })
  try {
    const response = await request(url + path, {
      ...{ method: /** @type {'GET' | 'POST'} */ (method), headers, dispatcher },
      ...(body !== undefined && { body }),
    })
    await response.body.dump()
  } catch (error) {
    // The response came before the body was sent, and the connection is closed.
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
     * What blocked the event loop longest since the last reset.
     * @param {'reset' | 'read'} message
     * @returns {Promise<Blocked>}
     */
    async ask(message) {
      const response = once(child, 'message')
      child.send(message)
      const [blocked] = await response
      return blocked
    },
    async stop() {
      child.disconnect()
      await stop(child, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

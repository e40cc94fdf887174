import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** After this the runner has given back what its start, or its last job, needed. */
const QUIET_MILLISECONDS = 20_000
const WATCHED_MILLISECONDS = 10_000
const MEGABYTE = 1e6

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * A runner that has had no job yet and waits for one, a request open: memory, and processor time while nothing happens.
 * @param {import('./installation.mjs').Installation} installation
 * @returns {Promise<Figure[]>}
 */
export async function benchIdleRunner({ runnerPid }) {
  await sleep(QUIET_MILLISECONDS)
  const before = await processorMilliseconds(runnerPid)
  await sleep(WATCHED_MILLISECONDS)
  const spent = (await processorMilliseconds(runnerPid)) - before
  return [
    await memoryFigure('idle runner, memory', await residentBytes(runnerPid), '60 MB'),
    {
      name: 'idle runner, processor',
      ours: `${spent.toFixed(1)} ms in ${WATCHED_MILLISECONDS / 1000} s`,
      baseline: 'one busy processor',
      theirs: `${WATCHED_MILLISECONDS} ms`,
      ratio: spent / WATCHED_MILLISECONDS,
    },
  ]
}

/**
 * As `benchIdleRunner`, after jobs, and the most that it had during them.
 * @param {import('./installation.mjs').Installation} installation
 * @returns {Promise<Figure[]>}
 */
export async function benchRestingRunner({ runnerPid }) {
  await sleep(QUIET_MILLISECONDS)
  return [
    await memoryFigure('idle runner after jobs, memory', await residentBytes(runnerPid), '80 MB'),
    await memoryFigure('the most memory of a runner', await residentBytes(runnerPid, 'VmHWM'), '120 MB'),
  ]
}

/**
 * @param {string} name
 * @param {number} ours
 * @param {string} target
 * @returns {Promise<Figure>}
 */
async function memoryFigure(name, ours, target) {
  const theirs = await residentBytesOfBareNode()
  return {
    name,
    ours: megabytes(ours),
    baseline: 'idle Node.js process',
    theirs: megabytes(theirs),
    ratio: ours / theirs,
    target,
  }
}

async function residentBytesOfBareNode() {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log()'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await bare.stdout.take(1).toArray()
    return await residentBytes(bare.pid ?? 0)
  } finally {
    bare.kill()
  }
}

/**
 * @param {number} pid
 * @param {'VmRSS' | 'VmHWM'} what now, or the most so far
 */
export async function residentBytes(pid, what = 'VmRSS') {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
}

/**
 * Over all threads, to the nanosecond.
 * @param {number} pid
 */
export async function processorMilliseconds(pid) {
  const threads = await readdir(`/proc/${pid}/task`)
  const times = await Promise.all(
    threads.map(async (thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')),
  )
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0)
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${Math.round(bytes / MEGABYTE)} MB`
}

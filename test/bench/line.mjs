import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

import { IMAGE } from './docker.mjs'
import { formatTime, median } from './table.mjs'

const LINES = 15
// Each line says when it was printed, by the clock that containers share with their host.
const PRINT = `for i in $(seq ${LINES}); do read up idle < /proc/uptime; echo "printed at $up"; sleep 0.7; done`

/**
 * From a line's being printed to its being readable: at the coordinator, against the end of a pipe of `docker run`.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchLine(installation) {
  const project = await installation.createProject(`print:\n  script:\n    - '${PRINT}'\n`)
  await project.timeJob()
  const [ours, theirs] = [median(await delaysAt(project)), median(await delaysInPipe())]
  return [
    {
      name: 'a line printed now and then',
      ours: formatTime(ours),
      baseline: 'docker run into a pipe',
      theirs: formatTime(theirs),
      ratio: ours / theirs,
      target: 'within 0.30 s',
    },
  ]
}

/** @param {import('./project.mjs').Project} project */
async function delaysAt(project) {
  /** @type {number[]} */
  const delays = []
  for await (const trace of project.tracesOfNewJob()) {
    const printed = [...trace.matchAll(/^printed at ([\d.]+)/gm)].map(([, time]) => Number(time))
    for (const time of printed.slice(delays.length)) delays.push(await since(time))
  }
  return delays
}

async function delaysInPipe() {
  const child = spawn('docker', ['run', '--rm', '--network', 'none', IMAGE, 'sh', '-c', PRINT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  /** @type {number[]} */
  const delays = []
  for await (const line of createInterface({ input: child.stdout })) {
    delays.push(await since(Number(line.replace('printed at ', ''))))
  }
  return delays
}

/**
 * Milliseconds since the time, which is one of 10 ms: never less than that.
 * @param {number} seconds
 */
async function since(seconds) {
  const now = Number.parseFloat(await readFile('/proc/uptime', 'utf8'))
  return Math.max(10, (now - seconds) * 1000)
}

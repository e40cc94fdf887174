import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { formatTime, median } from './table.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from './tokens.mjs'

const LINES = 2_000_000
const LINES_PER_PART = 20_000
const WINDOWS = 60
const WINDOW = 256
const TURNS = 3

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {{ path: string, bytes: number }} Log path of the trace in the API, and its size */

/**
 * What the log page asks for of a log of 101 MB with 2,000,000 lines: its outline when the job has just ended, windows
 * anywhere, and searches. Against the raw log, or a part of it, over the same API.
 * @returns {Promise<Figure[]>}
 */
export async function benchLogPages() {
  return withCoordinator([], async ({ url, folder }) => {
    const { log, outline } = await printLog(url, folder)
    const whole = await medianTime(() => read(log.path))
    const part = { range: `bytes=${Math.round(log.bytes / 2)}-${Math.round(log.bytes / 2) + 16_000}` }
    const raw = await medianTime(() => read(log.path, part))
    const windows = await windowTimes(log)
    const figure = (
      /** @type {string} */ name,
      /** @type {number} */ time,
      /** @type {string} */ target,
    ) => ({
      name: `${name} of a log of ${Math.round(log.bytes / 1e6)} MB`,
      ours: formatTime(time),
      baseline: 'the raw log',
      theirs: formatTime(whole),
      ratio: time / whole,
      target,
    })
    /** @type {Figure[]} */
    const figures = [figure('the outline, from the end of its job,', outline, 'under 1 s')]
    for (const { name, time } of [
      { name: 'the median window', time: median(windows) },
      { name: 'the slowest window', time: Math.max(...windows) },
    ]) {
      const target = 'under 50 ms'
      const [ours, theirs] = [time, raw].map((each) => `${each.toFixed(1)} ms`)
      figures.push({
        name,
        ours: ours ?? '',
        baseline: 'raw bytes',
        theirs: theirs ?? '',
        ratio: time / raw,
        target,
      })
    }
    for (const { name, query, target } of [
      { name: 'search for a text in all', query: 'q=never+printed&case=true', target: 'under 1 s' },
      { name: 'search for a text in any case', query: 'q=NEVER+printed', target: 'under 1.5 s' },
      {
        name: 'search for an expression',
        query: 'q=printed%20[0-9]%2B%20never$&regexp=true',
        target: 'under 9.7 s',
      },
    ]) {
      figures.push(figure(name, await medianTime(() => read(`${log.path}/search?${query}`)), target))
    }
    return figures
  })
}

/**
 * @param {string} url
 * @param {string} folder
 * @returns {Promise<{ log: Log, outline: number }>} `outline`: milliseconds from the end of the job to its outline
 */
async function printLog(url, folder) {
  const runner = await call(`${url}/api/v4/runners`, { token: REGISTRATION_TOKEN, run_untagged: true })
  const project = await Project.create(url, join(folder, 'log-pages'), 'print:\n  script: "true"\n')
  await call(`${project.api}/pipeline`, { ref: 'main' })
  const job = await call(`${url}/api/v4/jobs/request`, { token: runner.token, info: { name: 'bench' } })
  const [id, token] = [Number(job.id), String(job.token)]
  let bytes = 0
  for (let line = 0; line < LINES; line += LINES_PER_PART) {
    const part = Buffer.from(
      Array.from({ length: LINES_PER_PART }, (_none, index) => textOf(line + index)).join(''),
    )
    const headers = {
      'job-token': token,
      'content-type': 'text/plain',
      'content-range': `${bytes}-${bytes + part.length - 1}`,
    }
    const response = await fetch(`${url}/api/v4/jobs/${id}/trace`, { method: 'PATCH', headers, body: part })
    if (response.status !== 202) throw new Error(await response.text())
    bytes += part.length
  }
  const path = `${project.api}/jobs/${id}/trace`
  const begun = performance.now()
  const update = JSON.stringify({ token, state: 'success' })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/api/v4/jobs/${id}`, { method: 'PUT', headers, body: update })
  await read(`${path}/outline`)
  return { log: { path, bytes }, outline: performance.now() - begun }
}

/** @param {number} line */
function textOf(line) {
  if (line % 100_000 === 0) return `section_start:${line}:part_${line}\r\x1b[0K\x1b[36;1mPart\x1b[0;m\n`
  return line % 10 === 0
    ? `\x1b[32mcompile\x1b[0m module number ${line}, as has been printed\n`
    : `one line that the job has printed, number ${line}\n`
}

/** @param {Log} log */
async function windowTimes({ path }) {
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < WINDOWS; turn++) {
    // Anywhere, and the same in each run.
    const from = 1 + ((turn * 7_919_003) % LINES)
    times.push(await timeOf(() => read(`${path}/lines?from=${from}&count=${WINDOW}`)))
  }
  return times
}

/** @param {() => Promise<unknown>} work */
async function medianTime(work) {
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) times.push(await timeOf(work))
  return median(times)
}

/** @param {() => Promise<unknown>} work */
async function timeOf(work) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/**
 * @param {string} url
 * @param {Record<string, string>} [headers]
 */
async function read(url, headers = {}) {
  const response = await fetch(url, { headers: { 'private-token': ADMIN_TOKEN, ...headers } })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.arrayBuffer()
}

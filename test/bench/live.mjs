import { get } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { startPostgres } from './postgres.mjs'
import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { median } from './table.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from './tokens.mjs'

const TURNS = 51

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * How long a line takes from the request of the runner to the stream of a page: at one coordinator, and with the page at
 * another one.
 * @returns {Promise<Figure[]>}
 */
export async function benchLive() {
  const alone = await withCoordinator([], ({ url, folder }) => delayOf(url, url, folder))
  const postgres = await startPostgres()
  try {
    const flags = ['--database-url', postgres.url]
    const apart = await withCoordinator(flags, ({ url, folder }) =>
      withCoordinator([...flags, '--data-dir', join(folder, 'coordinator')], (other) =>
        delayOf(url, other.url, folder),
      ),
    )
    return [
      figure('a line sent, until a page has it', alone),
      figure('the same at another coordinator', apart),
    ]
  } finally {
    await postgres.stop()
  }
}

/**
 * @param {string} name
 * @param {{ ours: number, theirs: number }} delay
 * @returns {Figure}
 */
function figure(name, { ours, theirs }) {
  return {
    name,
    ours: `${ours.toFixed(1)} ms`,
    baseline: 'the response to the runner',
    theirs: `${theirs.toFixed(1)} ms`,
    ratio: ours / theirs,
    target: 'within 0.3 s',
  }
}

/**
 * @param {string} url of the coordinator that the runner talks to
 * @param {string} reader address of the coordinator that has the stream
 * @param {string} folder
 */
async function delayOf(url, reader, folder) {
  const runner = await call(`${url}/api/v4/runners`, { token: REGISTRATION_TOKEN, run_untagged: true })
  const project = await Project.create(url, join(folder, 'live'), 'print:\n  script: "true"\n')
  await call(`${project.api}/pipeline`, { ref: 'main' })
  const job = await call(`${url}/api/v4/jobs/request`, { token: runner.token, info: { name: 'bench' } })
  const stream = await LineStream.open(`${reader}/api/v4/live?topics=trace/${String(job.id)}/0`)
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  let bytes = 0
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      const line = `line ${turn} of the log\n`
      const headers = {
        'job-token': String(job.token),
        'content-type': 'text/plain',
        'content-range': `${bytes}-${bytes + line.length - 1}`,
      }
      const arrived = stream.timeOf(`line ${turn} of`)
      const begun = performance.now()
      const address = `${url}/api/v4/jobs/${String(job.id)}/trace`
      const response = await fetch(address, { method: 'PATCH', headers, body: line })
      if (response.status !== 202) throw new Error(await response.text())
      theirs.push(performance.now() - begun)
      ours.push((await arrived) - begun)
      bytes += line.length
    }
  } finally {
    stream.close()
  }
  return { ours: median(ours), theirs: median(theirs) }
}

/** A stream of changes, read as it arrives. */
class LineStream {
  /** @param {import('node:http').IncomingMessage} response */
  constructor(response) {
    this.response = response
    this.text = ''
    this.check = () => {}
    response.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
      this.text += part
      this.check()
    })
  }

  /**
   * @param {string} address
   * @returns {Promise<LineStream>}
   */
  static open(address) {
    return new Promise((resolve, reject) => {
      const request = get(
        address,
        { agent: false, headers: { 'private-token': ADMIN_TOKEN } },
        (response) => {
          if (response.statusCode === 200) resolve(new LineStream(response))
          else reject(new Error(`The stream got ${response.statusCode}`))
        },
      )
      request.once('error', reject)
    })
  }

  /**
   * @param {string} text
   * @returns {Promise<number>} milliseconds on the clock of `performance` when the text has arrived
   */
  timeOf(text) {
    return new Promise((resolve) => {
      this.check = () => {
        if (this.text.includes(text)) resolve(performance.now())
      }
      this.check()
    })
  }

  close() {
    this.response.destroy()
  }
}

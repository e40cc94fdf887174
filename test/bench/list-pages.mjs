import { sql } from 'kysely'
import { Agent, request } from 'undici'

import { onEachStore } from './each-store.mjs'
import { counts, lists } from './list-cases.mjs'
import { makeManyJobs } from './many-jobs.mjs'
import { makeMany, makeOneOfAll } from './many-rows.mjs'
import { call } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { median } from './table.mjs'

const ROWS = 100_000
const TURNS = 7
/** Further jobs on PostgreSQL: 10 million take ten minutes and 10 GB. */
const MORE_JOBS = Number(process.env['SWITCHYARD_BENCH_JOBS'] ?? 0)
/** That share them. */
const COMMITS = 100
const MILLISECONDS_ALLOWED = 30

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./many-rows.mjs').Place} Place */
/** @typedef {{ list: string, page: string, caller: string, time: number }} Timing */

/** @returns {Promise<Figure[]>} */
export function benchListPages() {
  return onEachStore(figures)
}

/**
 * Pages of lists of 100,000 rows over HTTP: of each list the slowest page of all that are tried and of all who may read
 * it, against the slowest while there was hardly a row.
 * @param {import('./each-store.mjs').Store} store
 * @returns {Promise<Figure[]>}
 */
async function figures({ name, settings, flags }) {
  return withCoordinator(flags, async ({ url, folder }) => {
    const place = await makeOneOfAll(url, `${folder}/project`)
    const before = slowestOfEach(await timeAll(url, place))
    await fill(settings, place)
    if (MORE_JOBS > 0 && settings.dialect === 'postgres') await fillWithJobs(settings, url, place)
    const timings = await timeAll(url, place)
    for (const { list, page, caller, time } of timings) {
      if (time > MILLISECONDS_ALLOWED)
        console.error(`${name}: ${list}?${page} as ${caller}: ${time.toFixed(1)} ms`)
    }
    return [...slowestOfEach(timings)].map(([list, slowest]) => {
      const theirs = before.get(list)?.time ?? Number.NaN
      return {
        name: `${list}?${slowest.page} as ${slowest.caller}, ${name}`,
        ours: `${slowest.time.toFixed(1)} ms`,
        baseline: 'hardly a row',
        theirs: `${theirs.toFixed(1)} ms`,
        ratio: slowest.time / theirs,
        target: `under ${MILLISECONDS_ALLOWED} ms`,
      }
    })
  })
}

/**
 * @param {import('../../src/coordinator/database/connect.js').DatabaseSettings} settings
 * @param {Place} place
 */
async function fill(settings, place) {
  const modules = new URL('../../.switchyard/modules/coordinator/', import.meta.url)
  /** @type {typeof import('../../src/coordinator/database/connect.js')} */
  const { connectDatabase } = await import(new URL('database/connect.js', modules).href)
  /** @type {typeof import('../../src/coordinator/planning/stores/text-index-store.js')} */
  const { indexDueTexts } = await import(new URL('planning/stores/text-index-store.js', modules).href)
  const database = connectDatabase(settings)
  try {
    await makeMany(database, place, ROWS)
    await analyze(database, settings)
    // What the coordinator does by itself within a minute.
    await indexDueTexts(database, new AbortController().signal)
  } finally {
    await database.destroy()
  }
}

/**
 * @param {import('../../src/coordinator/database/connect.js').DatabaseSettings} settings
 * @param {string} url
 * @param {Place} place
 */
async function fillWithJobs(settings, url, place) {
  const modules = new URL('../../.switchyard/modules/coordinator/', import.meta.url)
  /** @type {typeof import('../../src/coordinator/database/connect.js')} */
  const { connectDatabase } = await import(new URL('database/connect.js', modules).href)
  const shas = []
  for (let commit = 0; commit < COMMITS; commit++) {
    const { id } = await call(`${url}/api/v4/projects/${place.project}/repository/commits`, {
      ...{ branch: 'one', commit_message: '[skip ci]' },
      actions: [{ action: 'create', file_path: `${commit}.txt`, content: 'one' }],
    })
    shas.push(String(id))
  }
  const database = connectDatabase(settings)
  try {
    await makeManyJobs(database, { project: place.project, shas }, MORE_JOBS)
    await analyze(database, settings)
  } finally {
    await database.destroy()
  }
}

/**
 * What PostgreSQL does by itself within minutes of such a change.
 * @param {import('../../src/coordinator/database/connect.js').Database} database
 * @param {import('../../src/coordinator/database/connect.js').DatabaseSettings} settings
 */
async function analyze(database, { dialect }) {
  if (dialect === 'postgres') await sql`vacuum analyze`.execute(database)
}

/**
 * @param {string} url
 * @param {Place} place
 * @returns {Promise<Timing[]>}
 */
async function timeAll(url, place) {
  const agent = new Agent()
  try {
    /** @type {Timing[]} */
    const timings = []
    for (const { path, callers, pages } of [...lists(place), ...counts(place)]) {
      for (const caller of callers) {
        for (const page of ['', ...pages]) {
          const address = `${url}/api/v4${path}${path.includes('?') ? '&' : '?'}${page}`
          const time = await timeOf(agent, address, place.tokens[caller])
          timings.push({ list: path, page, caller, time })
        }
      }
    }
    return timings
  } finally {
    await agent.close()
  }
}

/**
 * @param {Agent} agent
 * @param {string} address
 * @param {string} token
 */
async function timeOf(agent, address, token) {
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now()
    // Responses to one address are cached until the store changes.
    const { statusCode, body } = await request(`${address}&turn=${turn}`, {
      dispatcher: agent,
      headers: { 'private-token': token },
    })
    const text = await body.text()
    times.push(performance.now() - start)
    if (statusCode !== 200) throw new Error(`GET ${address}: ${statusCode} ${text}`)
  }
  return median(times)
}

/** @param {Timing[]} timings */
function slowestOfEach(timings) {
  /** @type {Map<string, Timing>} */
  const slowest = new Map()
  for (const timing of timings) {
    if (timing.time > (slowest.get(timing.list)?.time ?? 0)) slowest.set(timing.list, timing)
  }
  return slowest
}

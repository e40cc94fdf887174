import { join } from 'node:path'

import Sqlite from 'better-sqlite3'

import { manyJobsFile } from '../../../scripts/demo/many-jobs.mjs'
import { call, Project } from '../project.mjs'
import { JobRunner } from './job-runner.mjs'
import { figureOf, milliseconds, percentile95, SHORTEST_LONG_TASK } from './tab.mjs'

const CHANGES = 30
const PIPELINES = 10_000
const PLACES = 30
const FRAMES = 180

/** Times are multiples of a frame at 60 Hz. */
const MAX_FRAME = 20

const GRAPH = `document.querySelector('[aria-label="Graph of the jobs"]')`

/**
 * Pages of pipelines: graphs of many jobs, changes of jobs, and a list of 10,000.
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder of the coordinator's data and of working copies
 */
export async function pipelineFigures(browser, folder) {
  return [
    figureOf('a job ends, until it is drawn, p95', await changeDelay(browser, folder), 300, milliseconds),
    ...(await graphFigures(browser, folder)),
    ...(await listFigures(browser, folder)),
  ]
}

/**
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
async function changeDelay(browser, folder) {
  const { url } = browser
  const file = Array.from({ length: CHANGES }, (_none, index) => `job-${index}: { script: "true" }\n`).join(
    '',
  )
  const project = await Project.create(url, join(folder, 'pages-changes'), file)
  const pipeline = await call(`${project.api}/pipeline`, { ref: 'main' })
  const runner = await JobRunner.register(url)
  /** @type {import('./job-runner.mjs').Job[]} */
  const jobs = []
  for (let index = 0; index < CHANGES; index++) jobs.push(await runner.take())
  return browser.withTab(async (tab) => {
    await tab.open(`/root/pages-changes/-/pipelines/${String(pipeline.id)}?view=graph`)
    await tab.until(`document.querySelectorAll('[data-box]').length === ${CHANGES}`)
    /** @type {number[]} */
    const delays = []
    for (const job of jobs) {
      const link = `document.querySelector('[data-box] a[href$="/-/jobs/${job.id}"]')`
      delays.push(await tab.timeAfter(() => runner.finish(job), `${link}.textContent.includes('passed')`))
    }
    return percentile95(delays)
  })
}

/**
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
async function graphFigures(browser, folder) {
  const [some, many] = [await openGraph(browser, folder, 500), await openGraph(browser, folder, 2000)]
  return [
    figureOf('a graph of 500 jobs drawn after its data', some.drawn, 100, milliseconds),
    figureOf('a frame while it scrolls, p95', percentile95(some.frames), MAX_FRAME, milliseconds),
    figureOf('the longest task of the page of 2,000 jobs', many.longestTask, 100, taskLength),
    figureOf('a frame while its graph scrolls, p95', percentile95(many.frames), MAX_FRAME, milliseconds),
  ]
}

/** @param {number} value in milliseconds */
function taskLength(value) {
  return value > SHORTEST_LONG_TASK ? milliseconds(value) : `under ${milliseconds(value)}`
}

/**
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 * @param {number} jobs
 */
async function openGraph(browser, folder, jobs) {
  const name = `pages-graph-${jobs}`
  const project = await Project.create(browser.url, join(folder, name), manyJobsFile(jobs))
  const pipeline = await call(`${project.api}/pipeline`, { ref: 'main' })
  const path = `/root/${name}/-/pipelines/${String(pipeline.id)}?view=graph`
  // Once before, so that the engine of the browser has compiled the scripts.
  return browser.withTab(async (tab) => {
    await tab.open(path)
    await tab.until(`${GRAPH} !== null`)
    await tab.page.addInitScript(`
      const look = () => (document.querySelector('[data-box]') ? (globalThis.drawnAt = performance.now()) : requestAnimationFrame(look))
      look()`)
    await tab.page.reload()
    await tab.until('globalThis.drawnAt !== undefined')
    const readAt = await tab.evaluate(
      `Math.max(...performance.getEntriesByType('resource').filter(({ name }) => /\\/graph\\b/.test(name)).map(({ responseEnd }) => responseEnd))`,
    )
    const drawn = (await tab.evaluate('drawnAt')) - readAt
    const scrolling = `(${GRAPH}.scrollHeight > ${GRAPH}.clientHeight ? ${GRAPH} : document.scrollingElement)`
    const frames = await tab.frameTimes(scrolling, FRAMES)
    return { drawn, frames, longestTask: await tab.evaluate(`Math.max(${SHORTEST_LONG_TASK}, ...longTasks)`) }
  })
}

/**
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
async function listFigures(browser, folder) {
  const name = 'pages-list'
  const project = await Project.create(browser.url, join(folder, name), 'build: { script: "true" }\n')
  const pipeline = await call(`${project.api}/pipeline`, { ref: 'main' })
  copyPipeline(join(folder, 'coordinator/switchyard.db'), Number(pipeline.id))
  return browser.withTab(async (tab) => {
    await tab.open(`/root/${name}/-/pipelines`)
    const list = `document.querySelector('[role=list][aria-label="Pipelines"]')`
    const rows = `[...${list}.querySelectorAll('[role=listitem], li')]`
    const isFull = `${rows}.length > 5 && ${rows}.every((row) => row.querySelector('a'))`
    await tab.until(`${list} && ${isFull}`)
    /** @type {number[]} */
    const times = []
    let most = 0
    for (let place = 1; place <= PLACES; place++) {
      const part = ((place * 7_919) % 1009) / 1009
      const act = `
        const list = ${list}
        const before = ${rows}[0].textContent
        list.scrollTop = ${part} * list.scrollHeight`
      times.push(await tab.timeUntil(act, `${rows}[0]?.textContent !== before && ${isFull}`))
      most = Math.max(most, await tab.evaluate(`${rows}.length`))
    }
    return [
      figureOf('rows in the document, of 10,000 pipelines', most, 60, String),
      figureOf('a page of them anywhere, p95', percentile95(times), 100, milliseconds),
    ]
  })
}

/**
 * Copies a pipeline with its stages and jobs. Creating as many would take minutes.
 * @param {string} file of the store
 * @param {number} id
 */
function copyPipeline(file, id) {
  const database = new Sqlite(file)
  try {
    database.pragma('busy_timeout = 10000')
    const step = 1_000_000
    /**
     * @param {string} table
     * @param {string} filter
     * @param {Record<string, string>} changed
     */
    const copy = (table, filter, changed) => {
      const columns = /** @type {{ name: string }[]} */ (database.pragma(`table_info(${table})`)).map(
        ({ name }) => name,
      )
      const quoted = columns.map((column) => `"${column}"`).join(', ')
      const values = columns.map((column) => changed[column] ?? `${table}."${column}"`).join(', ')
      database.exec(`
        with recursive number(n) as (select 1 union all select n + 1 from number where n < ${PIPELINES})
        insert into ${table} (${quoted}) select ${values} from ${table}, number where ${filter}`)
    }
    const pipeline = `pipeline_id + n * ${step}`
    const ended = `'success'`
    database.exec('begin')
    copy('pipeline', `id = ${id}`, { id: `id + n * ${step}`, iid: 'iid + n', status: ended })
    copy('stage', `pipeline_id = ${id}`, { id: `id + n * ${step}`, pipeline_id: pipeline, status: ended })
    copy('job', `pipeline_id = ${id}`, {
      id: `id + n * ${step}`,
      pipeline_id: pipeline,
      stage_id: `stage_id + n * ${step}`,
      status: ended,
    })
    database.exec('commit')
  } finally {
    database.close()
  }
}

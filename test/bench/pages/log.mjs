import { join } from 'node:path'

import { longLog } from '../../../scripts/demo/big-log.mjs'
import { call, Project } from '../project.mjs'
import { formatTime, median } from '../table.mjs'
import { JobRunner } from './job-runner.mjs'
import { figureOf, milliseconds, percentile95 } from './tab.mjs'

const LINES = 2_000_000
const MARKS = 40
const PLACES = 40
const TURNS = 3
const MEGABYTE = 1_000_000

/** Whether rows of the log are drawn, with their texts. */
const HAS_LINES = `
  [...document.querySelectorAll('[data-line]')].length > 20 &&
  [...document.querySelectorAll('[data-line]')].every((number) => number.parentElement.textContent.length > number.textContent.length)`

/**
 * The page of a job that prints 100 MB, while it prints and afterwards.
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
export async function logFigures(browser, folder) {
  const { url } = browser
  const runner = await JobRunner.register(url)
  const project = await Project.create(url, join(folder, 'pages-log'), 'print:\n  script: "true"\n')
  const pipeline = await call(`${project.api}/pipeline`, { ref: 'main' })
  const job = await runner.take()
  const base = '/root/pages-log/-'
  const { memory, delays } = await follow(browser, runner, job, `${base}/jobs/${job.id}`)
  await runner.finish(job)
  /** @type {number[]} */
  const first = []
  for (let turn = 0; turn < TURNS; turn++) {
    first.push(
      await browser.withTab(async (tab) => {
        await tab.open(`${base}/pipelines/${String(pipeline.id)}/builds`)
        const link = `document.querySelector('main a[href$="/-/jobs/${job.id}"]')`
        await tab.until(`${link} !== null`)
        return tab.timeUntil(`${link}.click()`, HAS_LINES)
      }),
    )
  }
  const read = await browser.withTab((tab) => readAnywhere(tab, `${base}/jobs/${job.id}`))
  const megabytes = (/** @type {number} */ value) => `${(value / MEGABYTE).toFixed(1)} MB`
  return [
    figureOf('first lines of a log of 100 MB, from the click', median(first), 1000, formatTime),
    figureOf('any line of it later, p95', percentile95(read.lines), 100, milliseconds),
    figureOf('first match of a text in it', read.firstMatch, 300, milliseconds),
    figureOf('the whole of it searched for a text that it does not have', read.allSearched, 1500, formatTime),
    figureOf('scripts of a tab that has followed it, memory', memory, 60 * MEGABYTE, megabytes),
    figureOf('a line printed, until it is drawn, p95', percentile95(delays), 300, milliseconds),
  ]
}

/**
 * Prints the log while a tab follows it.
 * @param {import('./tab.mjs').Browser} browser
 * @param {JobRunner} runner
 * @param {import('./job-runner.mjs').Job} job
 * @param {string} path
 */
function follow(browser, runner, job, path) {
  return browser.withTab(async (tab) => {
    let offset = await runner.print(job, 0, 'begin\n')
    await tab.open(path)
    const shows = (/** @type {string} */ text) =>
      `document.querySelector('[role=log]')?.textContent.includes(${JSON.stringify(text)})`
    await tab.until(shows('begin'))
    /** @param {string} text */
    const printLine = async (text) => {
      offset = await runner.print(job, offset, `${text}\n`)
    }
    /** @type {number[]} */
    const delays = []
    for (let mark = 1; mark <= MARKS; mark++) {
      const text = `mark ${mark} of ${MARKS}`
      delays.push(await tab.timeAfter(() => printLine(text), shows(text)))
    }
    for (const part of longLog(LINES, Date.now())) offset = await runner.print(job, offset, part)
    await tab.timeAfter(() => printLine('the end of the log'), shows('the end of the log'))
    return { memory: await tab.heapBytes(), delays }
  })
}

/**
 * @param {import('./tab.mjs').Tab} tab
 * @param {string} path
 */
async function readAnywhere(tab, path) {
  await tab.open(path)
  await tab.until(HAS_LINES)
  /** @type {number[]} */
  const lines = []
  for (let place = 1; place <= PLACES; place++) {
    // Anywhere, and the same in each run.
    const part = ((place * 7_919) % 1009) / 1009
    const act = `
      const box = document.querySelector('[role=log]')
      const before = document.querySelector('[data-line]').textContent
      box.scrollTop = ${part} * box.scrollHeight`
    const moved = `document.querySelector('[data-line]').textContent !== before`
    lines.push(await tab.timeUntil(act, `${moved} && ${HAS_LINES}`))
  }
  const type = (/** @type {string} */ text) => `
    const field = document.querySelector('[aria-label="Job log"] input')
    field.focus()
    field.value = ${JSON.stringify(text)}
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))`
  const said = `document.querySelector('[aria-label="Job log"] [role=status]')?.textContent`
  const firstMatch = await tab.timeUntil(type('a ring that is not closed'), `${said}?.startsWith('1 of')`)
  // The rest of the log is searched first, so that the next search has the machine to itself.
  await tab.until(`${said} === '1 of 1'`)
  const allSearched = await tab.timeUntil(type('never printed by it'), `${said} === 'no match'`)
  return { lines, firstMatch, allSearched }
}

import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { run } from '../setup/run.mjs'
import { compareRuns, filesToRunAgain } from './run-report.mjs'

/** @import { Failure, RunReport, TestFile } from './run-report.mjs' */

/**
 * Runs the tests. If some of them fail, their files run a second time, one after the other. A test that passes then is
 * printed as one that failed once, and added to a list: it shows a fault of the product or of itself that has to be mended,
 * but it does not fail the run.
 * @param {object} options
 * @param {string[]} options.args of the first run of Vitest
 * @param {(args: string[], report: string) => Promise<number>} options.runVitest returns its exit code; its reporter writes
 *   into the file `report`
 * @param {string} options.list the file with all tests that failed once
 * @param {(text: string) => void} options.print
 * @returns {Promise<number>} exit code
 */
export async function runTests({ args, runVitest, list, print }) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-report-'))
  /** @param {string} name @param {string[]} vitestArgs */
  const runWithReport = async (name, vitestArgs) => {
    const path = join(folder, name)
    const code = await runVitest(vitestArgs, path)
    return { code, report: await readReport(path) }
  }
  try {
    const first = await runWithReport('first.json', args)
    const files = first.code === 0 || !first.report ? [] : filesToRunAgain(first.report)
    if (!first.report || files.length === 0) return first.code

    print(`\n== ${count(files.length, 'file')} with failed tests: run again, one at a time\n\n`)
    const second = await runWithReport('second.json', argumentsFor(files))
    if (!second.report) return first.code
    const { failedOnce, failed } = compareRuns(first.report, second.report)
    print(describe(failedOnce, failed, list))
    await addToList(list, failedOnce)
    return failed.length > 0 ? first.code : second.code
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} path
 * @returns {Promise<RunReport | undefined>} none if Vitest was killed, or given other reporters
 */
async function readReport(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : /** @type {RunReport} */ (JSON.parse(text))
}

/** @param {TestFile[]} files */
function argumentsFor(files) {
  const projects = [...new Set(files.map(({ project }) => project))].filter((project) => project !== '')
  return [
    '--no-file-parallelism',
    ...projects.map((project) => `--project=${project}`),
    ...files.map(({ path }) => path),
  ]
}

/**
 * @param {Failure[]} failedOnce
 * @param {Failure[]} failed
 * @param {string} list
 */
function describe(failedOnce, failed, list) {
  const lines = ['']
  if (failed.length > 0) {
    lines.push(
      `== FAILED: ${count(failed.length, 'test')}, in the second run too`,
      ...failed.map(paragraph),
      '',
    )
  }
  if (failedOnce.length > 0) {
    lines.push(
      `== FAILED ONCE: ${count(failedOnce.length, 'test')}, which passed when the file ran again`,
      ...failedOnce.map(paragraph),
      '',
      `   Find the cause before the next change: it is a fault of the product, or of the test. Added to ${list}`,
      '',
    )
  }
  return `${lines.join('\n')}\n`
}

/** @param {Failure} failure */
function paragraph({ name, reason }) {
  return `   ${name}\n      ${reason}`
}

/**
 * @param {string} list
 * @param {Failure[]} failedOnce
 */
async function addToList(list, failedOnce) {
  if (failedOnce.length === 0) return
  const commit = await run('git', ['rev-parse', '--short', 'HEAD']).catch(() => 'no commit')
  const when = new Date().toISOString().slice(0, 16)
  const lines = failedOnce.map(({ name, reason }) => `${when} ${commit.trim()} ${name}: ${reason}\n`)
  await mkdir(dirname(list), { recursive: true })
  await appendFile(list, lines.join(''))
}

/** @param {number} number @param {string} noun */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

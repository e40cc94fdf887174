import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import Sqlite from 'better-sqlite3'

import { runGit } from '../plain-git.mjs'
import { call, Project } from '../project.mjs'
import { formatTime, median } from '../table.mjs'
import { figureOf, kilobytes, milliseconds, percentile95 } from './tab.mjs'

const REQUESTS = 100_000
const NOTES = 1000
const TURNS = 3
const FRAMES = 300
const MAX_FRAME = 20
const TYPED = 'This line should say why it is computed twice. '.repeat(3)
const MEGABYTE = 1_000_000

const LINES = `document.querySelector('[aria-label="Changed lines"]')`

/**
 * Pages of merge requests: a long list, large changes, a long discussion.
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder of the coordinator's data and of working copies
 */
export async function mergeRequestFigures(browser, folder) {
  const some = await openChanges(browser, folder, { files: 300, lines: 20_000 })
  const many = await openChanges(browser, folder, { files: 3000, lines: 500_000 })
  return [
    figureOf(
      'first rows of 100,000 merge requests, from the address',
      await listTime(browser, folder),
      500,
      formatTime,
    ),
    figureOf('first file of 300 changed ones, from the address', some.first, 500, formatTime),
    figureOf(
      'a frame while 20,000 changed lines scroll, p95',
      percentile95(some.frames),
      MAX_FRAME,
      milliseconds,
    ),
    figureOf('a key held down in a comment on one of them, p95', percentile95(some.keys), 50, milliseconds),
    figureOf('first file of 3,000 changed ones, from the address', many.first, 800, formatTime),
    figureOf('all of their 500,000 lines are there', many.whole, 10_000, formatTime),
    figureOf('a frame while they scroll, p95', percentile95(many.frames), MAX_FRAME, milliseconds),
    figureOf('scripts of the tab, memory', many.heap, 300 * MEGABYTE, kilobytes),
    figureOf('notes in the document, of 1,000', await notesDrawn(browser, folder), 100, String),
  ]
}

/**
 * A project with a merge request that changes files of several lines each.
 * @param {string} url
 * @param {string} folder for the working copy
 * @param {{ files: number, lines: number }} size
 */
async function makeRequest(url, folder, { files, lines }) {
  const project = await Project.create(url, folder, 'build: { script: "true", when: manual }\n')
  const run = (/** @type {string[]} */ ...args) => runGit(['-C', folder, ...args])
  await run('switch', '--quiet', '--create', 'change')
  const each = Math.round(lines / files)
  for (let file = 0; file < files; file += 1) {
    const part = join(folder, 'src', `part-${file % 30}`)
    await mkdir(part, { recursive: true })
    const content = Array.from(
      { length: each },
      (_none, line) => `export const value${line} = compute(${file}, "${line * 7919}") // of file ${file}\n`,
    )
    await writeFile(join(part, `file-${file}.ts`), content.join(''))
  }
  await run('add', '.')
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  await run(...author, 'commit', '--quiet', '--message', 'Change the files')
  await run('push', '--quiet', '--push-option=ci.skip', project.address, 'change')
  await call(`${project.api}/merge_requests`, {
    source_branch: 'change',
    target_branch: 'main',
    title: 'Change the files',
  })
  return project
}

/**
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 * @param {{ files: number, lines: number }} size
 */
async function openChanges(browser, folder, size) {
  const name = `pages-changes-${size.files}`
  await makeRequest(browser.url, join(folder, name), size)
  const path = `/root/${name}/-/merge_requests/1/diffs`
  const isDrawn = `${LINES}?.querySelector('[data-note]') != null`
  /** @type {number[]} */
  const first = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    first.push(
      await browser.withTab(async (tab) => {
        await tab.open(path)
        await tab.until(isDrawn)
        return tab.evaluate('performance.now()')
      }),
    )
  }
  return browser.withTab(async (tab) => {
    await tab.open(path)
    await tab.until(
      `document.querySelector('section[aria-label="Changes"]')?.textContent.includes('${size.files.toLocaleString('en')} files')`,
    )
    const whole = await tab.evaluate('performance.now()')
    const keys = size.files < 1000 ? await typeComment(tab) : []
    const frames = await tab.frameTimes(LINES, FRAMES)
    return { first: median(first), whole, keys, frames, heap: await tab.heapBytes() }
  })
}

/**
 * Milliseconds from each key in a comment on a line to the frame that shows it.
 * @param {import('./tab.mjs').Tab} tab
 * @returns {Promise<number[]>}
 */
async function typeComment(tab) {
  await tab.page.locator('[data-note]').first().click()
  const field = tab.page.getByRole('textbox', { name: /Comment on line/ })
  await field.focus()
  await tab.evaluate(`
    globalThis.keyTimes = []
    addEventListener('keydown', ({ timeStamp }) =>
      requestAnimationFrame(() => setTimeout(() => keyTimes.push(performance.now() - timeStamp))), true)`)
  await field.pressSequentially(TYPED, { delay: 33 })
  await tab.until(`keyTimes.length === ${TYPED.length}`)
  return JSON.parse(await tab.page.evaluate('JSON.stringify(keyTimes)'))
}

/**
 * Milliseconds from the address of the list to its first rows.
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
async function listTime(browser, folder) {
  const name = 'pages-many-requests'
  await makeRequest(browser.url, join(folder, name), { files: 1, lines: 10 })
  changeStore(folder, (database) => {
    const { id } = /** @type {{ id: number }} */ (
      database.prepare('select max(id) as id from merge_request').get()
    )
    copyRows(database, 'merge_request', id, REQUESTS - 1, {
      iid: 'iid + n',
      source_branch: `source_branch || '-' || n`,
      title: `title || ' ' || n`,
      created_at: 'created_at - n * 60000',
      updated_at: 'updated_at - n * 60000',
    })
  })
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.push(
      await browser.withTab(async (tab) => {
        await tab.open(`/root/${name}/-/merge_requests`)
        await tab.until(`document.querySelectorAll('a[href*="/-/merge_requests/"]').length >= 20`)
        return tab.evaluate('performance.now()')
      }),
    )
  }
  return median(times)
}

/**
 * How many of 1,000 notes are in the document at once.
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
async function notesDrawn(browser, folder) {
  const name = 'pages-many-notes'
  const project = await makeRequest(browser.url, join(folder, name), { files: 1, lines: 10 })
  const note = await call(`${project.api}/merge_requests/1/notes`, { body: 'Looks good to me.' })
  changeStore(folder, (database) =>
    copyRows(database, 'note', Number(note.id), NOTES - 1, {
      body: `body || ' ' || n`,
      discussion_id: `substr(discussion_id, 1, 30) || printf('%010d', n)`,
    }),
  )
  return browser.withTab(async (tab) => {
    await tab.open(`/root/${name}/-/merge_requests/1`)
    await tab.until(`document.querySelectorAll('article').length > 5`)
    return tab.evaluate(`document.querySelectorAll('article').length`)
  })
}

/**
 * @param {string} folder of the coordinator's data
 * @param {(database: Sqlite.Database) => void} change
 */
function changeStore(folder, change) {
  const database = new Sqlite(join(folder, 'coordinator/switchyard.db'))
  try {
    database.pragma('busy_timeout = 10000')
    database.transaction(() => change(database)).immediate()
  } finally {
    database.close()
  }
}

const STEP = 1_000_000

/**
 * Copies a row. To create as many over the API would take minutes.
 * @param {Sqlite.Database} database
 * @param {string} table
 * @param {number} id
 * @param {number} count
 * @param {Record<string, string>} changed SQL expressions of `n`, which counts from 1, by column
 */
function copyRows(database, table, id, count, changed) {
  const columns = /** @type {{ name: string }[]} */ (database.pragma(`table_info(${table})`)).map(
    ({ name }) => name,
  )
  const values = columns.map((name) => (name === 'id' ? `id + n * ${STEP}` : (changed[name] ?? `"${name}"`)))
  database.exec(`
    with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})
    insert into "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
    select ${values.join(', ')} from "${table}", number where id = ${id}`)
}

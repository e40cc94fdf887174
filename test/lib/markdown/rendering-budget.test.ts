import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { DeadlineThreads, TaskTooCostlyError } from '../../../src/lib/markdown/deadline-threads.js'
import type { MarkdownTask } from '../../../src/lib/markdown/markdown-html.js'
import {
  MarkdownRenderer,
  renderMarkdown,
  renderMarkdownDocument,
  renderMarkdownWithLinks,
} from '../../../src/lib/markdown/render-markdown.js'
import { ThreadPool } from '../../../src/lib/thread-pool.js'

const LONG = '*a* '.repeat(1000)
const PLACE = { base: '/group/project/-', ref: 'main', path: 'README.md' }

test.each([
  ['a text', renderMarkdown],
  ['a text with references', (text: string) => renderMarkdownWithLinks(text, async () => [])],
  ['a document', (text: string) => renderMarkdownDocument(text, PLACE)],
])('while %s is rendered, the event loop serves others', async (_, render) => {
  let hasServed = false
  setImmediate(() => (hasServed = true))
  expect(await render(LONG)).toContain('<em>a</em>')
  expect(hasServed).toBe(true)
})

test('the event loop renders at most 2,048 characters of short texts in one turn', async () => {
  const tasks: MarkdownTask[] = []
  const renderer = rendererWith(async (task) => `${tasks.push(task)}`)
  const short = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(100, '*'))
  await Promise.all(short.map((text) => renderer.render({ kind: 'html', text })))
  expect(tasks).toHaveLength(100 - Math.floor(2048 / 100))
})

test('a text that takes too long is shown as it is, with the reason, and is not tried at each request', async () => {
  let attempts = 0
  const renderer = rendererWith(async () => {
    attempts += 1
    throw new TaskTooCostlyError('The task takes too long')
  })
  const text = `<b>${LONG}`
  const shown = `<p>This text takes too long to format, so it is shown as it is.</p>\n<pre>&lt;b&gt;${LONG}</pre>`
  expect(await renderer.render({ kind: 'html', text })).toBe(shown)
  expect(await renderer.render({ kind: 'html', text })).toBe(shown)
  expect(attempts).toBe(1)
  expect(await renderer.renderWithLinks(text, async () => [])).toBe(shown)
})

test('a text is rendered once for all who read it', async () => {
  let renderings = 0
  const renderer = rendererWith(async () => `${(renderings += 1)}`)
  const readAll = () => Promise.all([1, 2, 3].map(() => renderer.render({ kind: 'html', text: LONG })))
  expect([await readAll(), await readAll()].flat()).toEqual(Array(6).fill('1'))
})

test('a task that does not end is ended at its deadline, and the next one gets another thread', async () => {
  const file = fileURLToPath(new URL('endless-worker.js', import.meta.url))
  const pool = new ThreadPool(file, {})
  const threads = new DeadlineThreads<'endless' | 'short'>(pool, { atOnce: 1, deadlineMilliseconds: 20 })
  const outcomes = await Promise.allSettled([threads.run('endless'), threads.run('short')])
  await pool.stop()
  const [endless, short] = outcomes
  expect(endless.status === 'rejected' && endless.reason).toBeInstanceOf(TaskTooCostlyError)
  expect(short).toEqual({ status: 'fulfilled', value: 'done' })
})

test('nothing else renders Markdown', async () => {
  const root = fileURLToPath(new URL('../../../src/', import.meta.url))
  const imports = "from '(markdown-it|.*/markdown-html\\.js)'"
  const { stdout } = await promisify(execFile)('grep', ['-rlE', imports, '.'], { cwd: root })
  expect(stdout.trim().split('\n').toSorted()).toEqual([
    './lib/markdown/markdown-html.js',
    './lib/markdown/markdown-worker.js',
    './lib/markdown/render-markdown.ts',
  ])
})

function rendererWith(run: (task: MarkdownTask) => Promise<unknown>): MarkdownRenderer {
  return new MarkdownRenderer({ run })
}

import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { lineText } from '../../../../../src/coordinator/ci/storage/trace-index/line-text.js'
import type { LogView } from '../../../../../src/coordinator/ci/storage/trace-index/log-index.js'
import { lineOfByte, readWindow } from '../../../../../src/coordinator/ci/storage/trace-index/read-window.js'
import { TraceScanner } from '../../../../../src/coordinator/ci/storage/trace-index/trace-scanner.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'
import { onFinished, openForFile } from '../../../../support/lifetime.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { anyLog } from './logs.js'

const MAX = 16 * 1024

const folder = openForFile(tempDir)

async function openLog(log: Buffer) {
  const path = join(folder(), 'log')
  await writeFile(path, log)
  const file = await open(path)
  return { file, view: viewOf(log) }
}

function viewOf(log: Buffer): LogView {
  const scanner = new TraceScanner()
  scanner.feed(log)
  const lines = scanner.lines + (scanner.openLineStart < log.length ? 1 : 0)
  scanner.finish()
  return { bytes: log.length, lines, sections: [], blockStarts: [0, ...scanner.blockStarts] }
}

/** The lines of a log and their positions, found in the simplest way. */
function naiveLines(log: Buffer) {
  const lines: { bytes: Buffer; start: number; isOpen: boolean }[] = []
  for (let start = 0; start < log.length;) {
    const end = log.indexOf('\n', start)
    const isOpen = end < 0
    lines.push({ bytes: log.subarray(start, isOpen ? undefined : end), start, isOpen })
    start = isOpen ? log.length : end + 1
  }
  return lines
}

async function openForTest(log: string | Buffer) {
  const opened = await openLog(Buffer.from(log))
  onFinished(() => opened.file.close())
  return opened
}

describe('windows of a log', () => {
  test('have the lines that a simple split finds', async () => {
    const property = fc.asyncProperty(
      anyLog(),
      fc.nat(3000),
      fc.integer({ min: 1, max: 300 }),
      async (log, first, count) => {
        const { file, view } = await openLog(log)
        const all = naiveLines(log)
        const from = (first % (all.length + 2)) + 1
        const window = await readWindow(file, view, { from, count, maxLineBytes: MAX })
        await file.close()
        const expected = all.slice(from - 1, from - 1 + count)
        expect(view.lines).toBe(all.length)
        expect(window.from).toBe(from)
        expect(window.lines).toEqual(expected.map(({ bytes, start }) => ({ ...lineText(bytes, MAX), start })))
        const after = all[from - 1 + expected.length]
        const last = expected.at(-1)
        const next = last?.isOpen ? last.start : (after?.start ?? log.length)
        if (last) expect(window.next).toBe(next)
      },
    )
    await fc.assert(property, fuzzRuns(100))
  })

  test('every byte is in its line', async () => {
    const property = fc.asyncProperty(anyLog(), fc.nat(), async (log, where) => {
      if (log.length === 0) return
      const { file, view } = await openLog(log)
      const byte = where % log.length
      const line = await lineOfByte(file, view, byte)
      await file.close()
      expect(line).toBe(naiveLines(log).findLastIndex(({ start }) => start <= byte) + 1)
    })
    await fc.assert(property, fuzzRuns(100))
  })

  test('a byte after the end is in the last line', async () => {
    const { file, view } = await openForTest('a\nb\n')
    expect(await lineOfByte(file, view, 1000)).toBe(2)
  })

  test('the style goes on over lines, and over the border of a window', async () => {
    const { file, view } = await openForTest(`\x1b[1;31m${'red\n'.repeat(600)}\x1b[0mplain\n`)
    const windowAt = (from: number) => readWindow(file, view, { from, count: 10, maxLineBytes: MAX })
    expect((await windowAt(1)).style).toBe('')
    expect((await windowAt(500)).style).toBe('1;31')
    expect((await windowAt(602)).style).toBe('')
  })

  test('lines after two megabytes of text are short', async () => {
    const { file, view } = await openForTest(`${'x'.repeat(16_000)}\n`.repeat(300))
    const { lines } = await readWindow(file, view, { from: 1, count: 300, maxLineBytes: MAX })
    expect(lines).toHaveLength(300)
    expect(lines.filter(({ isCut }) => isCut).map(({ text }) => text.length)).toEqual(Array(168).fill(256))
  })

  test('a line of megabytes is cut, and read whole on request', async () => {
    const { file, view } = await openForTest(`first\n${'x'.repeat(3_000_000)}\nlast\n`)
    const cut = await readWindow(file, view, { from: 1, count: 3, maxLineBytes: MAX })
    expect(cut.lines.map(({ text, isCut }) => [text.length, isCut])).toEqual([
      [5, false],
      [MAX, true],
      [4, false],
    ])
    const whole = await readWindow(file, view, { from: 2, count: 1, maxLineBytes: 4e6 })
    expect(whole.lines).toMatchObject([{ text: 'x'.repeat(3_000_000), isCut: false }])
  })
})

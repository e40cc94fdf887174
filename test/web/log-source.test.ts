import { expect, it } from 'vitest'

import type { TraceLines, TraceOutline } from '../../src/coordinator/ci/jobs/trace/schema.js'
import { type LinesQuery, LogSource } from '../../src/web/log/log-source.js'
import { plainText } from '../../src/web/log/styled-text.js'

const SECTION = {
  name: 'build',
  title: 'Build',
  first_line: 101,
  started_at: null,
  finished_at: null,
  duration: null,
  collapsed: false,
  depth: 0,
}

/** A log whose lines are `1`, `2` and so on, of ten bytes each, and the queries that its readers asked. */
function growingLog(lines: number) {
  const log = { lines, queries: [] as LinesQuery[], markers: [] as number[], outlines: 0 }
  const readLines = (query: LinesQuery): Promise<TraceLines> => {
    log.queries.push(query)
    const wanted = 'byte' in query ? query.byte / 10 + 1 : query.from
    const from = wanted < 0 ? Math.max(1, log.lines + 1 + wanted) : wanted
    const count = Math.max(0, Math.min(query.count, log.lines + 1 - from))
    return Promise.resolve({
      from,
      lines: Array.from({ length: count }, (_, index) => String(from + index)),
      times: [],
      style: '',
      cut: [],
      overwritten: [],
      markers: log.markers.filter((line) => line >= from && line < from + count).map((line) => line - from),
      total: log.lines,
      bytes: log.lines * 10,
      next_byte: (from - 1 + count) * 10,
      is_complete: false,
      missing_bytes: 0,
    })
  }
  const outline = (): Promise<TraceOutline> => {
    log.outlines += 1
    return Promise.resolve({
      bytes: log.lines * 10,
      lines: log.lines,
      is_complete: false,
      missing_bytes: 0,
      indexed_to: log.lines * 10,
      failing_line: null,
      sections: log.markers.map((line) => ({ ...SECTION, last_line: line })),
    })
  }
  return { log, reader: { lines: readLines, outline } }
}

function opened(lines: number) {
  const { log, reader } = growingLog(lines)
  let changed = () => {}
  const failures: Error[] = []
  const source = new LogSource(
    reader,
    () => changed(),
    (error) => failures.push(error),
  )
  source.open({
    bytes: lines * 10,
    lines,
    is_complete: false,
    missing_bytes: 0,
    indexed_to: lines * 10,
    failing_line: null,
    sections: [],
  })
  const grown = (to: number) =>
    new Promise<void>((resolve) => {
      log.lines = to
      changed = () => source.lines === to && resolve()
      source.grow()
    })
  const read = async (number: number) => {
    const line = await source.whenRead(number)
    return line && [line.number, plainText(line.pieces)]
  }
  return { log, source, grown, read, failures }
}

it('shows new lines of a log without reading others again', async () => {
  const { log, grown, read } = opened(100)
  await read(100)
  await grown(400)
  log.queries.length = 0
  expect(await read(101)).toEqual([101, '101'])
  expect(await read(400)).toEqual([400, '400'])
  expect(log.queries).toEqual([])
})

it('reads only the end of a log that is far ahead, and what was skipped when it is shown', async () => {
  const { log, source, grown, read, failures } = opened(100)
  await read(100)
  log.queries.length = 0
  await grown(2_000_000)
  expect(log.queries).toHaveLength(2)
  expect(await read(2_000_000)).toEqual([2_000_000, '2000000'])
  expect(log.queries).toHaveLength(2)
  // In the window that was the last one, and in the skipped part.
  expect(await read(101)).toEqual([101, '101'])
  expect(await read(1_000_000)).toEqual([1_000_000, '1000000'])
  await grown(2_000_001)
  expect(await read(2_000_001)).toEqual([2_000_001, '2000001'])
  expect(source.end).toBe(20_000_010)
  expect(failures).toEqual([])
})

it('knows the sections that end while the log grows', async () => {
  const { log, source, grown } = opened(100)
  await grown(120)
  expect(log.outlines).toBe(0)
  log.markers = [130]
  await grown(140)
  await expect.poll(() => source.sections.map(({ last_line: line }) => line)).toEqual([130])
  expect(log.outlines).toBe(1)
})

it('has no gap when the log grows while its last window is read', async () => {
  const { grown, read } = opened(100)
  const reading = read(100)
  await grown(120)
  await reading
  await grown(150)
  expect(await read(110)).toEqual([110, '110'])
  expect(await read(150)).toEqual([150, '150'])
})

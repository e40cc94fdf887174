import { setImmediate as nextTurn } from 'node:timers/promises'

import { type Reading, recordBatches } from './reading.js'

/** Consecutive lines from one commit. */
export interface BlamedLines {
  /** ID of the commit. */
  id: string
  /** Without line ends. */
  lines: string[]
}

/** Blames the lines of a file; `lines` are the first and the last line, counted from 1. */
export async function blame(
  reading: Reading,
  file: { sha: string; path: string; lines?: { start: number; end: number } | undefined },
): Promise<BlamedLines[]> {
  const ranges: BlamedLines[] = []
  const wanted = file.lines ? ['-L', `${file.lines.start},${file.lines.end}`] : []
  const args = ['blame', '--porcelain', ...wanted, file.sha, '--', file.path]
  let id = ''
  for await (const batch of recordBatches(reading, args, { separator: '\n' })) {
    for (const line of batch) {
      if (line.startsWith('\t')) addLine(ranges, id, line.slice(1))
      else id = /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? id
    }
    // Output that git has already printed is read without waiting for more.
    await nextTurn()
  }
  return ranges
}

function addLine(ranges: BlamedLines[], id: string, line: string): void {
  const last = ranges.at(-1)
  if (last?.id === id) last.lines.push(line)
  else ranges.push({ id, lines: [line] })
}

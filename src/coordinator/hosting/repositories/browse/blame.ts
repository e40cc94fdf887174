import type { Commit } from '../../../../git/parse-commit.js'
import { commitById } from './commit-log.js'
import { type Reading, records } from './reading.js'

/** Consecutive lines from one commit. */
export interface BlameRange {
  commit: Commit
  /** Without line ends. */
  lines: string[]
}

/** Blames the lines of a file; `lines` are the first and the last line, counted from 1. */
export async function blame(
  reading: Reading,
  file: { sha: string; path: string; lines?: { start: number; end: number } | undefined },
): Promise<BlameRange[]> {
  const ranges: { id: string; lines: string[] }[] = []
  const wanted = file.lines ? ['-L', `${file.lines.start},${file.lines.end}`] : []
  const args = ['blame', '--porcelain', ...wanted, file.sha, '--', file.path]
  let id = ''
  for await (const line of records(reading, args, { separator: '\n' })) {
    if (line.startsWith('\t')) addLine(ranges, id, line.slice(1))
    else id = /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? id
  }
  const commits = new Map<string, Commit>()
  for (const { id } of ranges) if (!commits.has(id)) commits.set(id, await commitById(reading, id))
  return ranges.flatMap(({ id, lines }) => {
    const commit = commits.get(id)
    return commit ? [{ commit, lines }] : []
  })
}

function addLine(ranges: { id: string; lines: string[] }[], id: string, line: string): void {
  const last = ranges.at(-1)
  if (last?.id === id) last.lines.push(line)
  else ranges.push({ id, lines: [line] })
}

import type { FoundBlob } from '../../../../coordinator/planning/search/schema.js'

/** A part of a line; hits are shown marked. */
interface LinePart {
  text: string
  isHit: boolean
}

export interface FoundLine {
  number: number
  parts: LinePart[]
}

/** A file with its lines that were found, and those around them, in runs without a gap. */
export interface FoundFile {
  path: string
  runs: FoundLine[][]
}

/** Groups what the search has found by file; the parts of a file follow each other. */
export function filesOf(
  found: readonly Pick<FoundBlob, 'path' | 'startline' | 'data'>[],
  search: string,
): FoundFile[] {
  const hits = hitPattern(search)
  const files: FoundFile[] = []
  for (const { path, startline, data } of found) {
    const run = data
      .replace(/\n$/, '')
      .split('\n')
      .map((line, index) => ({ number: startline + index, parts: partsOf(line, hits) }))
    const last = files.at(-1)
    if (last?.path === path) last.runs.push(run)
    else files.push({ path, runs: [run] })
  }
  return files
}

/** The line at which a file is best opened: the first one with a hit. */
export function firstHit({ runs }: FoundFile): number {
  const lines = runs.flat()
  return (lines.find(({ parts }) => parts.some(({ isHit }) => isHit)) ?? lines[0])?.number ?? 1
}

const FILTER = /^-?(?:filename|path|extension):.+$/i

/** Finds the text of a search, without its filters of files, as the search does: without regard to case. */
function hitPattern(search: string): RegExp | undefined {
  const text = search
    .split(' ')
    .filter((word) => !FILTER.test(word))
    .join(' ')
    .trim()
  return text === '' ? undefined : new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
}

function partsOf(line: string, hits: RegExp | undefined): LinePart[] {
  const parts: LinePart[] = []
  let end = 0
  for (const { 0: hit, index } of hits ? line.matchAll(hits) : []) {
    if (index > end) parts.push({ text: line.slice(end, index), isHit: false })
    parts.push({ text: hit, isHit: true })
    end = index + hit.length
  }
  if (end < line.length) parts.push({ text: line.slice(end), isHit: false })
  return parts
}

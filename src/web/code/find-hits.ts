import type { FoundBlob } from '../../coordinator/planning/search/schema.js'

/** A part of a text; hits are shown marked. */
export interface TextPart {
  text: string
  isHit: boolean
}

export interface FoundLine {
  number: number
  parts: TextPart[]
}

/** A file with its lines that were found, and those around them, in runs without a gap. */
export interface FoundFile {
  path: string
  /** Null for a page in the wiki of a group. */
  projectId: number | null
  groupId: number | undefined
  /** Branch, tag or commit that was searched. */
  ref: string
  runs: FoundLine[][]
}

/** Groups what the search has found by file; the parts of a file follow each other. */
export function filesOf(
  found: readonly Pick<FoundBlob, 'path' | 'startline' | 'data' | 'project_id' | 'group_id' | 'ref'>[],
  search: string,
): FoundFile[] {
  const hits = hitPattern(search)
  const files: FoundFile[] = []
  for (const { path, startline, data, project_id: projectId, group_id: groupId, ref } of found) {
    const run = data
      .replace(/\n$/, '')
      .split('\n')
      .map((line, index) => ({ number: startline + index, parts: partsOf(line, hits) }))
    const last = files.at(-1)
    if (last?.path === path && last.projectId === projectId && last.groupId === groupId) last.runs.push(run)
    else files.push({ path, projectId, groupId, ref, runs: [run] })
  }
  return files
}

/** The line at which a file is best opened: the first one with a hit. */
export function firstHit({ runs }: FoundFile): number {
  const lines = runs.flat()
  return (lines.find(({ parts }) => parts.some(({ isHit }) => isHit)) ?? lines[0])?.number ?? 1
}

const FILTER = /^-?(?:filename|path|extension):.+$/i

/** The text of a search for files, without its filters. */
function hitPattern(search: string): RegExp | undefined {
  return patternOf(
    search
      .split(' ')
      .filter((word) => !FILTER.test(word))
      .join(' '),
  )
}

/** The parts of a text in which a search may have found something. */
export function markHits(text: string, search: string): TextPart[] {
  return partsOf(text, patternOf(search))
}

/** Characters that are shown before a hit, and in all. */
const BEFORE = 60
const EXCERPT = 240

/** A part of a long text around the first hit, on one line; undefined without a hit. */
export function excerptAround(text: string, search: string): string | undefined {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const at = patternOf(search.replaceAll(/\s+/g, ' '))?.exec(line)?.index
  if (at === undefined) return undefined
  const start = at > BEFORE ? line.lastIndexOf(' ', at - BEFORE) + 1 : 0
  const end = start + EXCERPT
  return `${start > 0 ? '… ' : ''}${line.slice(start, end).trim()}${end < line.length ? ' …' : ''}`
}

/** Finds a text as the search does: without regard to case. */
function patternOf(searched: string): RegExp | undefined {
  const text = searched.trim()
  return text === '' ? undefined : new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
}

function partsOf(line: string, hits: RegExp | undefined): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: hit, index } of hits ? line.matchAll(hits) : []) {
    if (index > end) parts.push({ text: line.slice(end, index), isHit: false })
    parts.push({ text: hit, isHit: true })
    end = index + hit.length
  }
  if (end < line.length) parts.push({ text: line.slice(end), isHit: false })
  return parts
}

import type { NotePosition } from '../../database/tables/notes.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { linesIn } from './lines.js'
import type { NewSuggestion } from './suggestion-store.js'

/** Most lines above and below the line of a comment that it may replace. */
const MAX_LINES = 100
/** Most suggestions of one comment. */
const MAX_SUGGESTIONS = 50

const OPENING = /^ {0,3}(`{3,})suggestion(?::-(\d{1,4})\+(\d{1,4}))?[ \t]*\r?$/
const CLOSING = /^ {0,3}(`{3,})[ \t]*\r?$/

/** What a block of a comment suggests. */
export interface SuggestedBlock {
  above: number
  below: number
  content: string
}

/**
 * The blocks with the language `suggestion:-2+1` of a comment: 2 lines above and 1 below are replaced, too. A block without
 * an end is none. Each line is looked at once, whatever the comment is.
 */
export function suggestedBlocks(body: string): SuggestedBlock[] {
  const fences = fencesIn(body)
  const blocks: SuggestedBlock[] = []
  // No opening with as many backticks or more has an end.
  let endless = Infinity
  for (let index = 0; index < fences.length && blocks.length < MAX_SUGGESTIONS; index += 1) {
    const opening = fences[index]
    if (!opening?.lines || opening.length >= endless) continue
    let at = index + 1
    while (at < fences.length && !ends(fences[at], opening)) at += 1
    const closing = fences[at]
    if (!closing) {
      endless = opening.length
      continue
    }
    const content = body.slice(opening.next, closing.start).replaceAll('\r\n', '\n')
    blocks.push({ ...opening.lines, content })
    index = at
  }
  return blocks
}

function ends(fence: Fence | undefined, { length }: Fence): boolean {
  return fence !== undefined && !fence.lines && fence.length >= length
}

interface Fence {
  start: number
  /** Where the next line starts. */
  next: number
  /** Number of backticks. */
  length: number
  /** Of an opening: what the block replaces. Absent for a closing. */
  lines?: Pick<SuggestedBlock, 'above' | 'below'>
}

/** The lines that open or close a block. */
function fencesIn(body: string): Fence[] {
  const fences: Fence[] = []
  for (let at = body.indexOf('```'); at !== -1;) {
    const start = body.lastIndexOf('\n', at) + 1
    const end = body.indexOf('\n', at)
    const next = end === -1 ? body.length : end + 1
    const line = body.slice(start, end === -1 ? body.length : end)
    const opening = end === -1 ? null : OPENING.exec(line)
    const length = (opening ?? CLOSING.exec(line))?.[1]?.length
    if (length !== undefined) {
      fences.push({ start, next, length, ...(opening && { lines: linesOf(opening) }) })
    }
    at = body.indexOf('```', next)
  }
  return fences
}

function linesOf([, , above = '0', below = '0']: RegExpExecArray): Pick<SuggestedBlock, 'above' | 'below'> {
  return { above: Math.min(Number(above), MAX_LINES), below: Math.min(Number(below), MAX_LINES) }
}

/** The suggestions of a comment on a line of the head; none for other places. */
export async function suggestionsIn(
  repositories: Pick<Repositories, 'readFile'>,
  projectId: number,
  position: NotePosition | null,
  body: string,
): Promise<NewSuggestion[]> {
  const { new_line: line, new_path: path } = position ?? { new_line: null, new_path: null }
  if (!position || line === null || path === null) return []
  const blocks = suggestedBlocks(body)
  if (blocks.length === 0) return []
  const lines = linesIn((await repositories.readFile(projectId, position.head_sha, path)) ?? '')
  return blocks.map(({ above, below, content }) => {
    const first = Math.max(1, line - above)
    const last = Math.min(lines.length, line + below)
    return {
      lines_above: line - first,
      lines_below: Math.max(0, last - line),
      from_content: lines.slice(first - 1, last).join(''),
      to_content: content,
    }
  })
}

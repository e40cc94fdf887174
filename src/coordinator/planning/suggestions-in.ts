import type { NotePosition } from '../database/tables/notes.js'
import type { Repositories } from '../hosting/repositories/repositories.js'
import type { NewSuggestion } from '../hosting/suggestion-store.js'
import { linesIn } from './lines.js'

/** Most lines above and below the line of a comment that it may replace. */
const MOST_LINES = 100
/** Most suggestions of one comment. */
const MOST_SUGGESTIONS = 50

const BLOCK = /^ {0,3}(`{3,})suggestion(?::-(\d{1,4})\+(\d{1,4}))?[ \t]*\r?\n([\s\S]*?)^ {0,3}\1`*[ \t]*$/gm

/** What a block of a comment suggests. */
export interface SuggestedBlock {
  above: number
  below: number
  content: string
}

/** The blocks with the language `suggestion:-2+1` of a comment: 2 lines above and 1 below are replaced, too. */
export function suggestedBlocks(body: string): SuggestedBlock[] {
  const blocks = [...body.matchAll(BLOCK)].slice(0, MOST_SUGGESTIONS)
  return blocks.map(([, , above = '0', below = '0', content = '']) => ({
    above: Math.min(Number(above), MOST_LINES),
    below: Math.min(Number(below), MOST_LINES),
    content: content.replaceAll('\r\n', '\n'),
  }))
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

import { readWindow } from '../../storage/trace-index/read-window.js'
import type { OpenLog } from '../../storage/trace-indexes.js'
import type { JobReproduction } from './schema.js'

/** Name of the section in which runners say which images they use (runner protocol, 7.2). It precedes all scripts. */
const SECTION = 'prepare_executor'
const MAX_LINES = 500
const MAX_BYTES = 2000
const STYLE = /\p{Cc}\[[\d;]*[A-Za-z]/gu
const IMAGE =
  /^Using (?:docker|locally found) image (?:sha256:[0-9a-f]{64}) for (?<name>\S+?)(?: with digest (?<digest>\S+@sha256:[0-9a-f]{64}))? \.\.\.$/

/** The images that the log of a job names, with their digests. */
export async function usedImages({ file, view }: OpenLog): Promise<JobReproduction['images']> {
  const section = view.sections.find(({ name }) => name === SECTION)
  if (!section) return []
  const last = section.lastLine ?? view.lines
  const { lines } = await readWindow(file, view, {
    from: section.firstLine,
    count: Math.min(MAX_LINES, last - section.firstLine + 1),
    maxLineBytes: MAX_BYTES,
  })
  return lines.flatMap(({ text }) => {
    const found = IMAGE.exec(text.replaceAll(STYLE, '').trim())?.groups
    return found?.['name'] === undefined ? [] : [{ name: found['name'], digest: found['digest'] ?? null }]
  })
}

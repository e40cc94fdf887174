import type { Readable } from 'node:stream'

import { reportText } from '../report-text.js'
import type { LineCoverageError } from './line-coverage-error.js'
import { lineCoverageLimits } from './line-coverage-limits.js'
import { LineCoverageParser, type LineHits, refused } from './line-coverage-parser.js'
import type { ReportPaths } from './report-paths.js'

interface Wanted {
  /** Finds the files of the repository. */
  paths: ReportPaths
  /** The files whose lines are kept. */
  files: ReadonlySet<string>
}

/**
 * Reads how often the lines of some files have run, by the path of the file, from a compressed Cobertura or JaCoCo report of one
 * or more documents. Throws `LineCoverageError`.
 */
export async function readLineCoverage(
  packed: Readable,
  { paths, files }: Wanted,
): Promise<Map<string, LineHits>> {
  const found = new Map<string, LineHits>()
  let [named, documents] = [0, 0]
  const linesOf = (name: string, sources: readonly string[]) => {
    named += 1
    if (named > lineCoverageLimits.files) throw tooMany('files')
    const path = paths.find(name, sources)
    if (path === undefined || !files.has(path)) return undefined
    const lines = found.get(path) ?? new Map<number, number>()
    found.set(path, lines)
    return lines
  }
  let lineCount = 0
  const onLine = () => {
    lineCount += 1
    if (lineCount > lineCoverageLimits.lines) throw tooMany('lines')
  }
  let parser: LineCoverageParser | undefined
  for await (const piece of reportText(packed, lineCoverageLimits.bytes, refused)) {
    let text: string | undefined = piece
    while (text) {
      // Skip whitespace between two documents.
      if (!parser && (text = text.replace(/^[\s\ufeff]+/, '')) === '') break
      parser ??= new LineCoverageParser({ linesOf, onLine })
      text = parser.write(text)
      if (text === undefined) continue
      parser = undefined
      documents += 1
      if (documents > lineCoverageLimits.documents) throw tooMany('documents')
    }
  }
  if (documents === 0 || parser?.hasBegun) (parser ?? new LineCoverageParser({ linesOf, onLine })).close()
  return found
}

function tooMany(what: 'files' | 'lines' | 'documents'): LineCoverageError {
  return refused(`more than ${lineCoverageLimits[what]} ${what}`)
}

import type { Readable } from 'node:stream'

import { reportText } from '../report-text.js'
import { readXmlDocuments, type XmlFormat } from '../xml-documents.js'
import { CoveredLines, type LineHits, refused } from './covered-lines.js'
import type { LineCoverageError } from './line-coverage-error.js'
import { lineCoverageLimits } from './line-coverage-limits.js'
import type { ReportPaths } from './report-paths.js'

const FORMAT: XmlFormat = {
  limits: lineCoverageLimits,
  refuse: {
    invalid: refused,
    tooLong: () => refused('an element is too long'),
    tooDeep: () => refused('the elements are too deep'),
    tooManyDocuments: () => tooMany('documents'),
  },
}

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
  let named = 0
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
  const texts = reportText(packed, lineCoverageLimits.bytes, refused)
  const documents = readXmlDocuments(texts, FORMAT, () => new CoveredLines({ linesOf, onLine }))
  while (!(await documents.next()).done) {
    // The lines are in `found`.
  }
  return found
}

function tooMany(what: 'files' | 'lines' | 'documents'): LineCoverageError {
  return refused(`more than ${lineCoverageLimits[what]} ${what}`)
}

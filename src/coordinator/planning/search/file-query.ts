import { basename } from 'node:path/posix'

type FilterName = 'filename' | 'path' | 'extension'

interface FileFilter {
  name: FilterName
  /** `*` stands for any text. */
  pattern: string
  isExcluded: boolean
}

/** A search for files: a fixed text, and which files. */
export interface FileQuery {
  text: string
  filters: FileFilter[]
}

const FILTER = /^(-?)(filename|path|extension):(.+)$/i

/** Reads `text filename:*.md -path:docs extension:ts`. Words that are no filters are the text. */
export function readFileQuery(search: string): FileQuery {
  const filters: FileFilter[] = []
  const words = search.split(' ').filter((word) => {
    const [, minus, name, pattern] = FILTER.exec(word) ?? []
    if (name === undefined || pattern === undefined) return true
    filters.push({ name: name.toLowerCase() as FilterName, pattern, isExcluded: minus === '-' })
    return false
  })
  return { text: words.join(' ').trim(), filters }
}

/** Whether a file passes all filters. */
export function matchesFile({ filters }: FileQuery, path: string): boolean {
  return filters.every(({ name, pattern, isExcluded }) => matches(name, pattern, path) !== isExcluded)
}

function matches(name: FilterName, pattern: string, path: string): boolean {
  switch (name) {
    case 'path':
      return matchesWildcards(`*${pattern}*`, path)
    case 'filename':
      return matchesWildcards(pattern, basename(path))
    case 'extension':
      return matchesWildcards(`*.${pattern.replace(/^\./, '')}`, basename(path))
  }
}

/** Case-insensitive. Each piece is searched behind the one before it, so the time is that of a search per piece. */
function matchesWildcards(pattern: string, text: string): boolean {
  const pieces = pattern.toLowerCase().split('*')
  const lower = text.toLowerCase()
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  if (pieces.length === 1) return lower === first
  if (!lower.startsWith(first) || !lower.endsWith(last)) return false
  const end = lower.length - last.length
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = lower.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return from <= end
}

/** The pattern for git that the first filter amounts to, which spares git to read other files. */
export function pathspecOf({ filters }: FileQuery): string | undefined {
  const first = filters.find(({ isExcluded }) => !isExcluded)
  if (!first) return undefined
  const pattern = first.pattern.replaceAll(/[\\?[\]]/g, '\\$&')
  switch (first.name) {
    case 'path':
      return `:(icase)*${pattern}*`
    case 'filename':
      return `:(glob,icase)**/${pattern}`
    case 'extension':
      return `:(glob,icase)**/*.${pattern.replace(/^\./, '')}`
  }
}

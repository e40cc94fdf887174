import { nameProblem } from '../../archive/entry-name.js'
import { DEFAULT_LIMITS } from '../../archive/extract-limits.js'
import { SwitchyardError } from '../../lib/errors.js'
import { globMatcher } from '../../lib/glob.js'
import { findFiles, type FoundKind, walk } from './find-files.js'
import type { FileSelection, SelectedFiles } from './workspace.js'

export interface FileTree {
  /** Path on the host. */
  root: string
  /** The path of this directory inside the job. Patterns may begin with it. */
  projectDir: string
  untrackedFiles(): Promise<string[]>
}

const UNTRACKED = 'untracked'

/**
 * Finds the files that patterns match. Never matches anything outside the tree or behind a link. Throws
 * `TooManyFilesError` if they are more than `maximumFiles`.
 */
export async function selectFiles(
  tree: FileTree,
  selection: FileSelection,
  signal: AbortSignal,
  maximumFiles = DEFAULT_LIMITS.maximumEntries,
): Promise<SelectedFiles> {
  const collection = new Collection(selection.exclude, maximumFiles)
  const refused: string[] = []
  for (const pattern of selection.paths) {
    const relative = relativePattern(pattern, tree.projectDir)
    if (relative === undefined) refused.push(pattern)
    else await collection.gather(pattern, (onFound) => findFiles(tree.root, relative, onFound, signal))
  }
  if (selection.untracked)
    await collection.gather(UNTRACKED, (onFound) => findUntracked(tree, onFound, signal))
  return { ...collection.result(), refused }
}

/** The pattern relative to the tree, without `.` and `..`. Undefined if it leads outside. */
export function relativePattern(pattern: string, projectDir: string): string | undefined {
  const isAbsolute = pattern.startsWith('/')
  if (isAbsolute && pattern !== projectDir && !pattern.startsWith(`${projectDir}/`)) return undefined
  const components: string[] = []
  for (const component of pattern.slice(isAbsolute ? projectDir.length : 0).split('/')) {
    if (component === '' || component === '.') continue
    if (component !== '..') components.push(component)
    else if (components.pop() === undefined) return undefined
  }
  return components.length === 0 ? '**' : components.join('/')
}

type Gather = (onFound: (name: string, kind: FoundKind) => void) => Promise<void>

class Collection {
  private readonly names = new Set<string>()
  private readonly skipped = new Set<string>()
  private readonly matches: { pattern: string; count: number }[] = []
  private readonly excludes: ((name: string) => boolean)[]

  constructor(
    exclude: string[],
    private readonly maximumFiles: number,
  ) {
    this.excludes = exclude.map((pattern) => globMatcher(pattern.replace(/^\.\//, '')))
  }

  async gather(pattern: string, gather: Gather): Promise<void> {
    const found = new Set<string>()
    await gather((name, kind) => {
      if (this.excludes.some((isExcluded) => isExcluded(name))) return
      if (kind === 'special' || !canBeKept(name)) this.skipped.add(name)
      else found.add(kind === 'directory' ? `${name}/` : name)
      if (found.size + this.skipped.size > this.maximumFiles)
        throw new TooManyFilesError(pattern, this.maximumFiles)
    })
    for (const name of found) this.names.add(name)
    this.matches.push({ pattern, count: found.size })
  }

  result(): Pick<SelectedFiles, 'names' | 'matches' | 'skipped'> {
    return { names: [...this.names].sort(), matches: this.matches, skipped: [...this.skipped].sort() }
  }
}

/** Files that an archive cannot hold, because unpacking it would be refused. */
export class TooManyFilesError extends SwitchyardError {
  readonly name = 'TooManyFilesError'
  readonly code = 'TOO_MANY_FILES'

  constructor(pattern: string, maximumFiles: number) {
    super(
      `${pattern}: matches more than ${maximumFiles} files, the most that an archive may hold. ` +
        'Exclude some, or pack them into one file.',
    )
  }
}

/** A name that is not UTF-8 was read with replacement characters, and refers to nothing. */
function canBeKept(name: string): boolean {
  return nameProblem(name) === undefined && !name.includes('\ufffd')
}

async function findUntracked(
  tree: FileTree,
  onFound: (name: string, kind: FoundKind) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const name of await tree.untrackedFiles()) {
    if (!name.endsWith('/')) onFound(name, 'file')
    else {
      onFound(name.slice(0, -1), 'directory')
      await walk(tree.root, name.slice(0, -1), onFound, signal)
    }
  }
}

import { GlobIndex } from './glob-index.js'
import { compileGlob } from './glob.js'

/**
 * Patterns of paths as a tree, whose edges are names. All patterns are matched at once, and a folder once for all
 * files in it that follow each other, so that the time is about that of reading the paths.
 *
 *     /docs/*.md   names from the root
 *     docs/*.md    the same in any folder
 *     docs/        all files in folders of this name, at any depth
 *     **           any number of folders, also none
 *     *            all files
 */
interface Node {
  names: Map<string, Node>
  globs: GlobIndex<Node>
  /** After any number of further folders. */
  anywhere?: Node
  /** Whether a further folder leads to this node again. */
  isLoop: boolean
  /** Patterns that match a file whose path ends here. */
  files: number[]
  /** Patterns that match every file below. */
  below: number[]
}

/** What the folders of a path have led to. */
interface Reached {
  nodes: readonly Node[]
  /** Patterns that match every file here and below. */
  matched: readonly number[]
}

/** Thrown where matching would take too long. */
export class PatternsTooComplexError extends Error {
  override readonly name = 'PatternsTooComplexError'
}

/** Names and globs that are compared, and patterns that are found, for all paths together. */
const MAX_STEPS = 3_000_000

export interface Matcher {
  /**
   * Positions of the patterns that match a path, in no order. The path has no slash at its beginning. Throws
   * `PatternsTooComplexError`.
   */
  match: (path: string) => number[]
}

export function compilePatterns(sources: readonly string[]): Matcher {
  const root = node()
  for (const [index, source] of sources.entries()) insert(root, source, index)
  return new TreeMatcher(root)
}

function node(isLoop = false): Node {
  return { names: new Map(), globs: new GlobIndex(), isLoop, files: [], below: [] }
}

function insert(root: Node, source: string, index: number): void {
  if (source === '*') {
    root.below.push(index)
    return
  }
  const isAnchored = source.startsWith('/')
  const names = source.split('/').filter((name) => name !== '')
  const isFolder = source.endsWith('/') || names.at(-1) === '**'
  if (names.at(-1) === '**') names.pop()
  let at = isAnchored ? root : anywhere(root)
  for (const name of names) at = name === '**' ? anywhere(at) : child(at, name)
  const patterns = isFolder ? at.below : at.files
  patterns.push(index)
}

function anywhere(at: Node): Node {
  if (at.isLoop) return at
  at.anywhere ??= node(true)
  return at.anywhere
}

function child(at: Node, name: string): Node {
  const glob = compileGlob(name)
  if (typeof glob !== 'string') return at.globs.add(name, glob, node)
  const known = at.names.get(glob)
  if (known) return known
  const made = node()
  at.names.set(glob, made)
  return made
}

class TreeMatcher implements Matcher {
  private readonly top: Reached
  /** The folders of the path before, with where each leads to: git lists the files of a folder together. */
  private folders: { name: string; place: Reached }[] = []
  private steps = 0

  constructor(root: Node) {
    this.top = this.reached([root], [])
  }

  match(path: string): number[] {
    const names = path.split('/')
    const name = names.pop() ?? ''
    const { nodes, matched } = this.folderOf(names)
    const found = [...matched]
    for (const at of nodes) {
      found.push(...(at.names.get(name)?.files ?? []))
      for (const next of this.matching(at, name)) found.push(...next.files)
    }
    this.count(found.length)
    return found
  }

  private folderOf(names: readonly string[]): Reached {
    const known = this.folders.findIndex((folder, index) => folder.name !== names[index])
    if (known !== -1) this.folders = this.folders.slice(0, known)
    for (const name of names.slice(this.folders.length)) {
      const place = this.enter(this.folders.at(-1)?.place ?? this.top, name)
      this.folders.push({ name, place })
    }
    return this.folders.at(-1)?.place ?? this.top
  }

  private enter({ nodes, matched }: Reached, name: string): Reached {
    const next = new Set<Node>()
    for (const at of nodes) {
      if (at.isLoop) next.add(at)
      const named = at.names.get(name)
      if (named) next.add(named)
      for (const reached of this.matching(at, name)) if (!isLeaf(reached)) next.add(reached)
    }
    return this.reached(next, matched)
  }

  private reached(found: Iterable<Node>, matched: readonly number[]): Reached {
    const nodes = new Set(found)
    for (const { anywhere: next } of nodes) if (next) nodes.add(next)
    const below = [...nodes].flatMap((at) => at.below)
    this.count(nodes.size + below.length)
    if (below.length === 0) return { nodes: [...nodes], matched }
    this.count(matched.length)
    return { nodes: [...nodes], matched: [...new Set([...matched, ...below])] }
  }

  private matching({ globs }: Node, name: string): Node[] {
    const { found, steps } = globs.matching(name)
    this.count(1 + steps)
    return found
  }

  private count(steps: number): void {
    this.steps += steps
    if (this.steps > MAX_STEPS) throw new PatternsTooComplexError('The patterns take too long to match')
  }
}

/** Whether no folder of this name matters: the pattern ends with it. */
function isLeaf({ names, globs, anywhere: next, below }: Node): boolean {
  return names.size === 0 && globs.size === 0 && next === undefined && below.length === 0
}

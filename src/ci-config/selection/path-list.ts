import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { hasWildcard, pathGlob } from './path-glob.js'

/**
 * The remaining cost of matching patterns with paths in one compilation. Users control both the patterns and
 * the paths.
 */
export class ComparisonBudget {
  private left: number = limits.globCost

  /** Throws `ConfigError` if the budget is exhausted. */
  spend(cost: number): void {
    this.left -= cost
    if (this.left >= 0) return
    throw invalid('The rules compare too many paths with too many patterns: write fewer or simpler patterns')
  }
}

/** Paths of files. Jobs repeat the same queries, so each result is cached. */
export class PathList {
  private readonly results = new Map<string, boolean>()
  private known?: ReadonlySet<string>
  private components?: readonly (readonly string[])[]
  private top?: PathList

  constructor(
    private readonly paths: readonly string[],
    private readonly budget: ComparisonBudget,
  ) {}

  get size(): number {
    return this.paths.length
  }

  has(path: string): boolean {
    this.known ??= new Set(this.paths)
    return this.known.has(path)
  }

  hasBelow(directory: string): boolean {
    return this.lookUp(directory, () => this.some(1, (path) => path.startsWith(directory)))
  }

  hasEndingIn(suffix: string): boolean {
    return this.lookUp(`**/*${suffix}`, () => this.some(1, (path) => path.endsWith(suffix)))
  }

  hasMatch(pattern: string): boolean {
    if (!hasWildcard(pattern) && !pattern.includes('\\')) return this.has(pattern)
    return this.lookUp(pattern, () => {
      const glob = pathGlob(pattern)
      this.components ??= this.paths.map((path) => path.split('/'))
      const { components } = this
      return this.some(glob.cost, (path, index) => glob.matches(path, components[index] ?? []))
    })
  }

  /** The files in the root directory. */
  topLevel(): PathList {
    this.top ??= new PathList(
      this.paths.filter((path) => !path.includes('/')),
      this.budget,
    )
    return this.top
  }

  private some(cost: number, test: (path: string, index: number) => boolean): boolean {
    this.budget.spend(cost * this.paths.length)
    return this.paths.some(test)
  }

  private lookUp(question: string, find: () => boolean): boolean {
    const known = this.results.get(question)
    if (known !== undefined) return known
    const found = find()
    this.results.set(question, found)
    return found
  }
}

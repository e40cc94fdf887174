import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { hasWildcard, pathGlob } from './path-glob.js'

/** What comparing patterns with paths may still cost in one compilation: patterns come from files, files from pushes. */
export class ComparisonBudget {
  private left: number = limits.globCost

  /** Throws `ConfigError` when nothing is left. */
  spend(cost: number): void {
    this.left -= cost
    if (this.left >= 0) return
    throw invalid('The rules compare too many paths with too many patterns: write fewer or simpler patterns')
  }
}

/** Paths of files. Jobs ask the same questions again and again: each is answered once. */
export class PathList {
  private readonly answers = new Map<string, boolean>()
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
    return this.answer(directory, () => this.some(1, (path) => path.startsWith(directory)))
  }

  hasEndingIn(suffix: string): boolean {
    return this.answer(`**/*${suffix}`, () => this.some(1, (path) => path.endsWith(suffix)))
  }

  hasMatch(pattern: string): boolean {
    if (!hasWildcard(pattern) && !pattern.includes('\\')) return this.has(pattern)
    return this.answer(pattern, () => {
      const glob = pathGlob(pattern)
      this.components ??= this.paths.map((path) => path.split('/'))
      const { components } = this
      return this.some(glob.cost, (path, index) => glob.matches(path, components[index] ?? []))
    })
  }

  /** Those that lie in no directory. */
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

  private answer(question: string, find: () => boolean): boolean {
    const known = this.answers.get(question)
    if (known !== undefined) return known
    const found = find()
    this.answers.set(question, found)
    return found
  }
}

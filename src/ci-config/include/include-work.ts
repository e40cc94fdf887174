import { type ConfigError, invalid, type Problem } from '../errors.js'
import { PatternWork } from '../expressions/pattern-work.js'
import { limits } from '../limits.js'
import { KnownFiles } from '../selection/known-files.js'
import type { ConfigSources, ProjectCommit, RepositoryFile } from '../sources.js'
import { loadConfig, type LoadedConfig } from '../yaml/load-config.js'
import type { FoundFile } from './found-file.js'
import type { IncludeForm } from './include-item.js'

/** An included file, for display. */
export interface IncludedFile {
  form: IncludeForm
  /** Its name in problems. */
  file: string
  /** The commit of the including file; absent = none. */
  includedBy?: ProjectCommit
  /** Absent = it is of no repository. */
  place?: RepositoryFile
}

/**
 * State that all files of one configuration share: the results so far and the remaining limits (CI language,
 * 4.6).
 */
export class IncludeWork {
  readonly included: IncludedFile[] = []
  /** Of all files. */
  readonly warnings: Problem[] = []
  readonly files: KnownFiles
  readonly patterns: PatternWork
  /** Local files that wildcards leave out. */
  private readonly known = new Set<string>()
  private readonly loaded = new Map<string, LoadedConfig>()
  private readonly deadline = performance.now() + limits.includeSeconds * 1000
  private entered = 0
  /** A limit of all files together was reached, and no further files are read. */
  isOver = false
  private bytes = 0
  private entries = 0

  constructor(
    readonly sources: ConfigSources,
    /** Number of files that may be included. */
    readonly mostIncludes: number = limits.includes,
  ) {
    this.files = new KnownFiles(sources)
    this.patterns = PatternWork.of(this.files)
  }

  /** Called before a file is read. Throws `ConfigError` above the limits of files and time. */
  enter(): void {
    this.entered += 1
    if (this.entered > this.mostIncludes) {
      throw this.over(`Maximum of ${this.mostIncludes} nested includes are allowed!`)
    }
    if (this.isOver || performance.now() > this.deadline) throw this.timedOut()
  }

  /** Number of files that may still be read. */
  room(): number {
    return this.isOver ? 0 : Math.max(0, this.mostIncludes - this.entered)
  }

  found(form: IncludeForm, { file, text, place }: FoundFile, includedBy: ProjectCommit | undefined): void {
    this.included.push({ form, file, ...(includedBy && { includedBy }), ...(place && { place }) })
    this.count(text)
  }

  /** Throws `ConfigError` if the files are too large in total. */
  count(text: string): void {
    this.bytes += Buffer.byteLength(text)
    if (this.bytes > limits.includedBytes) {
      throw this.over('Total size of combined CI/CD configuration is too big')
    }
  }

  /** Called for every entry that merging copies; nested includes copy entries again at every level. */
  countEntry(): void {
    this.entries += 1
    if (this.entries > limits.mergedEntries) throw this.over('The parsed YAML is too big')
  }

  /** False if the file was already recorded. */
  recordFile(commit: ProjectCommit, path: string): boolean {
    const size = this.known.size
    return this.known.add(`${commit.projectPath}@${commit.sha}:${path}`).size > size
  }

  /** Parses each distinct text only once. */
  load(text: string, file: string): LoadedConfig {
    const key = `${file}\0${text}`
    const known = this.loaded.get(key)
    if (known) return known
    const loaded = loadConfig(text, file)
    this.loaded.set(key, loaded)
    this.warnings.push(...loaded.warnings.slice(0, limits.problems - this.warnings.length))
    return loaded
  }

  /** Rejects if a source does not respond in time. */
  async withinTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.timedOut()), this.deadline - performance.now())
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  private timedOut(): ConfigError {
    return this.over('Request timed out when fetching configuration files.')
  }

  private over(message: string): ConfigError {
    this.isOver = true
    return invalid(message)
  }
}

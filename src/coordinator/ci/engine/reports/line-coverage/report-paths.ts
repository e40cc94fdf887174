/** Finds the files of a repository that coverage reports name. */
export class ReportPaths {
  private readonly known: ReadonlySet<string>
  /** The paths by their last part. */
  private readonly byName = new Map<string, string[]>()

  /** @param paths of all files of the repository */
  constructor(paths: readonly string[]) {
    this.known = new Set(paths)
    for (const path of paths) {
      const name = nameOf(path)
      const named = this.byName.get(name)
      if (named) named.push(path)
      else this.byName.set(name, [path])
    }
  }

  /**
   * The path in the repository of a file that a report names. Reports name files in folders of the machine that made them:
   * the longest end of such a path that is a file of the repository counts. A name that several files end with is none of them.
   * @param sources folders that the name may be relative to
   */
  find(name: string, sources: readonly string[] = []): string | undefined {
    const file = normalized(name)
    if (file === '') return undefined
    for (const source of sources) {
      const found = this.longestEnd(normalized(source), file)
      if (found !== undefined) return found
    }
    if (this.known.has(file)) return file
    if (isAbsolute(name)) return this.longestEnd(file, nameOf(file))
    const ends = this.byName.get(nameOf(file))?.filter((path) => path.endsWith(`/${file}`)) ?? []
    return ends.length === 1 ? ends[0] : undefined
  }

  /** Shortens the folder from its beginning, never the file. */
  private longestEnd(folder: string, file: string): string | undefined {
    const ownFolder = folder.endsWith(`/${file}`) ? folder.slice(0, -file.length - 1) : folder
    const parts = ownFolder.split('/').filter((part) => part !== '')
    for (let first = 0; first <= parts.length; first += 1) {
      const path = [...parts.slice(first), file].join('/')
      if (this.known.has(path)) return path
    }
    return undefined
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path)
}

/** With `/` between the parts, without those that say nothing. */
function normalized(path: string): string {
  const parts = path.trim().replaceAll('\\', '/').split('/')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

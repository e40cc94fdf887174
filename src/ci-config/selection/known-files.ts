import type { ConfigSources, ProjectCommit } from '../sources.js'
import { ComparisonBudget, PathList } from './path-list.js'

/** The file queries of rules; without `findProject`, other projects cannot be searched. */
export type FileSources = Pick<ConfigSources, 'changedFiles' | 'changedFilesSince' | 'listFiles'> &
  Partial<Pick<ConfigSources, 'findProject'>>

type FoundProject = ProjectCommit | 'not-found' | 'no-such-ref'

/** Caches the file lists of one compilation: each is read at most once, and only if a rule needs it. */
export class KnownFiles {
  private readonly budget = new ComparisonBudget()
  private readonly changes = new Map<string | undefined, Promise<PathList | undefined>>()
  private readonly trees = new Map<string, Promise<PathList>>()
  private readonly projects = new Map<string, Promise<FoundProject>>()

  constructor(private readonly sources: FileSources) {}

  /** Changed by the event, or since the common ancestor with `ref`; undefined if there is no such list. */
  changed(ref: string | undefined): Promise<PathList | undefined> {
    return remember(this.changes, ref, async () => {
      const { sources } = this
      const paths = await (ref === undefined ? sources.changedFiles() : sources.changedFilesSince(ref))
      return paths && new PathList(paths, this.budget)
    })
  }

  filesOf(commit: ProjectCommit): Promise<PathList> {
    return remember(
      this.trees,
      `${commit.sha} ${commit.projectPath}`,
      async () => new PathList(await this.sources.listFiles(commit), this.budget),
    )
  }

  findProject(path: string, ref: string | undefined): Promise<FoundProject> {
    return remember(
      this.projects,
      JSON.stringify([path, ref]),
      async () => (await this.sources.findProject?.(path, ref)) ?? 'not-found',
    )
  }
}

function remember<K, T>(responses: Map<K, Promise<T>>, key: K, ask: () => Promise<T>): Promise<T> {
  const response = responses.get(key) ?? ask()
  responses.set(key, response)
  return response
}

import type { RemoteText } from '../../../ci-config/sources.js'
import type { Database } from '../../database/connect.js'
import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'

/** Sources of CI files outside the repository of the pipeline. */
export interface OutsideSources {
  /** Number of files that a CI file may include; absent = the usual one. */
  maxIncludes?: () => Promise<number>
  /** The project with this path if the user may read its code. The path is case-insensitive. */
  readableProject(user: UserRow, fullPath: string): Promise<ProjectRow | undefined>
  /** The project with this path, without any permission check. The path is case-insensitive. */
  findProject(fullPath: string): Promise<ProjectRow | undefined>
  /**
   * The access level of a user, or of an anonymous caller, in a project (API, A15). `database` may be a
   * transaction.
   */
  levelOf(user: UserRow | undefined, project: ProjectRow, database?: Database): Promise<number>
  /**
   * The project with this path and the user's access level, if the user may see its jobs. The path is
   * case-insensitive. `database` may be a transaction.
   */
  projectWithJobs(
    database: Database,
    user: UserRow,
    fullPath: string,
  ): Promise<{ project: ProjectRow; accessLevel: number } | undefined>
  /** The text at a URL; a copy that was fetched at most `maxAgeSeconds` ago may be reused. */
  fetchRemote(url: string, maxAgeSeconds: number | undefined): Promise<RemoteText>
  /** A built-in template by name; undefined if there is none. */
  readTemplate(name: string): Promise<string | undefined>
  /** Names of the built-in templates; absent = a missing template gives no hint. */
  listTemplates?(): Promise<readonly string[]>
}

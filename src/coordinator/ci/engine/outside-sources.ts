import type { RemoteText } from '../../../ci-config/sources.js'
import type { Database } from '../../database/connect.js'
import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'

/** What CI files may ask for that is not in the repository of their pipeline. */
export interface OutsideSources {
  /** The project of a path, when the user may read its code; the case of the path does not count. */
  readableProject(user: UserRow, fullPath: string): Promise<ProjectRow | undefined>
  /** The project of a path, whoever may read it; the case of the path does not count. */
  findProject(fullPath: string): Promise<ProjectRow | undefined>
  /**
   * The level of a user, or of nobody, in a project (API, A15). `database` may be a transaction, which reads it then.
   */
  levelOf(user: UserRow | undefined, project: ProjectRow, database?: Database): Promise<number>
  /**
   * The project of a path with the user's level there, when the user may see its jobs; the case of the path does not
   * count. Asked of `database`, which may be a transaction.
   */
  projectWithJobs(
    database: Database,
    user: UserRow,
    fullPath: string,
  ): Promise<{ project: ProjectRow; accessLevel: number } | undefined>
  /** Text at an address of the network; one that was fetched at most `maxAgeSeconds` ago may be given again. */
  fetchRemote(url: string, maxAgeSeconds: number | undefined): Promise<RemoteText>
  /** A template that comes with the coordinator, by its name; undefined when there is none. */
  readTemplate(name: string): Promise<string | undefined>
}

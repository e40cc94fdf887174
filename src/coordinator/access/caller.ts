import type { Selectable } from 'kysely'

import type { JobTable } from '../database/tables/pipelines.js'
import type { NamespaceTable, ProjectTable } from '../database/tables/projects.js'
import type { UserTable } from '../database/tables/users.js'

export type User = Selectable<UserTable>
export type Project = Selectable<ProjectTable>
export type Group = Selectable<NamespaceTable>

export type Caller =
  | { kind: 'anonymous' }
  | {
      kind: 'user'
      user: User
      scopes: string[]
      /** Of the personal access token. */
      tokenId: number | undefined
      /** The administrator who acts in place of `user` (API, A12). */
      sudoBy?: User
    }
  /**
   * A job token: acts as the job's user, on the routes that declare `jobToken` only (API, A3); in projects that do not
   * let it in, as a visitor who reads.
   */
  | { kind: 'job'; user: User; job: Selectable<JobTable> }

import type { Selectable } from 'kysely'

import type { JobTable } from '../database/tables/pipelines.js'
import type { NamespaceTable, ProjectTable } from '../database/tables/projects.js'
import type { UserTable } from '../database/tables/users.js'

export type User = Selectable<UserTable>
export type Project = Selectable<ProjectTable>
export type Group = Selectable<NamespaceTable>

export interface CallerSession {
  id: number
  /** The personal access token with which the session ends. */
  personalTokenId: number | null
  /** When the user last gave a password or a token, in milliseconds since 1970; null = not in this session. */
  confirmedAt: number | null
}

export type Caller =
  | { kind: 'anonymous' }
  | {
      kind: 'user'
      user: User
      scopes: string[]
      /** ID of the personal access token. */
      tokenId: number | undefined
      /** IDs of the only projects that the token reaches; undefined = all that the user may access. */
      projectIds?: readonly number[]
      /** The administrator who acts as `user` (API, A12). */
      sudoBy?: User
      /** The browser session, if its cookie is the credential. */
      session?: CallerSession
    }
  /**
   * A job token. It acts as the user of the job, but only on routes that declare `jobToken` (API, A3). In
   * projects whose allowlist does not contain its project, it acts as a visitor who may only read.
   */
  | { kind: 'job'; user: User; job: Selectable<JobTable> }

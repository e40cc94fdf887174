import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { signedIn } from '../../http/viewer.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { resolveStoredRef } from '../engine/stored-ref.js'
import { commitOf, reportStatus } from './commit-statuses.js'
import { presentStatus } from './present.js'
import { CommitStatus, NewStatus, StatusFilters } from './schema.js'
import { countStatuses, listStatuses, type Member } from './store.js'

export interface CommitStatusDeps {
  engine: EngineDeps
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Statuses that jobs and external systems report for a commit (API, E3). */
export function commitStatusOperations(deps: CommitStatusDeps): Operation[] {
  const { engine } = deps
  const { database } = engine
  return [
    operation('GET /projects/:id/repository/commits/:sha/statuses', {
      summary: 'List commit statuses',
      access: 'read_pipelines',
      params: StatusFilters,
      responses: { 200: Type.Array(CommitStatus) },
      paginated: true,
      run: async (call) => {
        const { project, params, paging } = call
        const sha = await commitOf(engine, project, params.sha)
        const { ref, ...others } = params
        const on = ref === undefined ? undefined : await resolveStoredRef(engine, project.id, ref)
        const filters = { ...others, sha, on }
        const members = await listStatuses(database, project.id, filters, paging)
        const records = await describe(deps, project, sha, members)
        return page(records, await countStatuses(database, project.id, filters))
      },
    }),
    operation('POST /projects/:id/statuses/:sha', {
      summary: 'Set the status of a commit',
      access: 'set_commit_status',
      params: NewStatus,
      responses: { 201: CommitStatus },
      run: async ({ project, params, user }) => {
        const sha = await commitOf(engine, project, params.sha)
        const row = await reportStatus(engine, project, signedIn(user), { ...params, sha })
        const [record] = await describe(deps, project, sha, [{ kind: 'reported', row }])
        return record
      },
    }),
  ]
}

async function describe(
  { engine, externalUrl }: CommitStatusDeps,
  project: Project,
  sha: string,
  members: Member[],
): Promise<CommitStatus[]> {
  const authors = await usersById(
    engine.database,
    members.map(({ row }) => row.user_id),
  )
  return members.map((member) =>
    presentStatus(member, { project, sha, author: authors.get(member.row.user_id), externalUrl }),
  )
}

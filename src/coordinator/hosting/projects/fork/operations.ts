import { Type } from 'typebox'

import type { Project, User } from '../../../access/caller.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { signedIn } from '../../../http/viewer.js'
import type { CreateProjectDeps } from '../create/create-project.js'
import type { ProjectRecords } from '../record/records.js'
import { FullProject } from '../record/schema.js'
import { forkProject } from './fork-project.js'
import { addForkRelation, deleteForkRelation, type OnUnlinked } from './fork-relation.js'
import { ForkProject } from './schema.js'

export interface ForkDeps extends CreateProjectDeps {
  /** Finds a project by ID or path, if the user may read its code. */
  readableProject: (idOrPath: string, user: User) => Promise<Project | undefined>
  onUnlinked: OnUnlinked
}

const ForkedFrom = Type.Object({
  forked_from_id: described(Type.String(), 'ID or path of the source project.'),
})

export function forkOperations(deps: ForkDeps, records: ProjectRecords): Operation[] {
  return [
    operation('POST /projects/:id/fork', {
      summary: 'Fork a project',
      access: 'fork_project',
      params: ForkProject,
      responses: { 201: FullProject },
      run: async ({ project, params, user }) => {
        const forker = signedIn(user)
        return records.full(await forkProject(deps, project, params, forker), forker)
      },
    }),
    operation('POST /projects/:id/fork/:forked_from_id', {
      summary: 'Create a fork relation between existing projects',
      access: 'admin_fork_relation',
      params: ForkedFrom,
      responses: { 201: FullProject },
      run: async ({ project, params, user }) => {
        const owner = signedIn(user)
        const source = await deps.readableProject(params.forked_from_id, owner)
        return records.full(await addForkRelation(deps.database, project, source), owner)
      },
    }),
    operation('DELETE /projects/:id/fork', {
      summary: 'Delete a fork relation',
      access: 'admin_fork_relation',
      responses: { 204: NoBody, 304: NoBody },
      run: async ({ project, user }) =>
        (await deleteForkRelation(deps, project, signedIn(user))) ? respond(204) : respond(304),
    }),
  ]
}

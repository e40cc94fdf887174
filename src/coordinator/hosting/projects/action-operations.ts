import { Type } from 'typebox'

import { apiError } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { signedIn } from '../../http/viewer.js'
import { SearchUsers, Starrer, TransferProject } from './action-schema.js'
import type { CreateProjectDeps } from './create/create-project.js'
import type { ProjectRecords } from './record/records.js'
import { FullProject } from './record/schema.js'
import { listStarrers, star, unstar } from './stars/stars.js'
import { changeProject } from './store.js'
import { type TransferDeps, transferProject } from './transfer/transfer-project.js'

export interface ActionDeps extends CreateProjectDeps, TransferDeps {
  externalUrl: string
  /** Starts housekeeping of a repository in the background; false if it is already running. */
  startHousekeeping: (projectId: number) => Promise<boolean>
}

export function projectActionOperations(deps: ActionDeps, records: ProjectRecords): Operation[] {
  return [...starOperations(deps, records), ...stateOperations(deps, records)]
}

function starOperations({ database, externalUrl }: ActionDeps, records: ProjectRecords): Operation[] {
  return [
    operation('POST /projects/:id/star', {
      summary: 'Star a project',
      access: 'star_project',
      responses: { 201: FullProject, 304: NoBody },
      run: async ({ project, user }) => {
        const fan = signedIn(user)
        const starred = await star(database, project.id, fan)
        return starred ? records.full(starred, fan) : respond(304)
      },
    }),
    operation('POST /projects/:id/unstar', {
      summary: 'Unstar a project',
      access: 'star_project',
      responses: { 201: FullProject, 304: NoBody },
      run: async ({ project, user }) => {
        const fan = signedIn(user)
        const unstarred = await unstar(database, project.id, fan)
        return unstarred ? records.full(unstarred, fan) : respond(304)
      },
    }),
    operation('GET /projects/:id/starrers', {
      summary: 'List starrers of a project',
      access: 'star_project',
      params: SearchUsers,
      responses: { 200: Type.Array(Starrer) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listStarrers(database, project.id, params.search, paging)
        const records = rows.map((row) => ({
          starred_since: isoTime(row.starred_since),
          user: presentUser(row, externalUrl),
        }))
        return page(records, total)
      },
    }),
  ]
}

function stateOperations(deps: ActionDeps, records: ProjectRecords): Operation[] {
  const { database } = deps
  return [
    operation('POST /projects/:id/archive', {
      summary: 'Archive a project, which makes it read-only',
      access: 'archive_project',
      changes: { attributes: ['archived'] },
      responses: { 201: FullProject },
      run: async ({ project, user }) =>
        records.full(await changeProject(database, project.id, { archived: true }), signedIn(user)),
    }),
    operation('POST /projects/:id/unarchive', {
      summary: 'Unarchive a project',
      access: 'archive_project',
      changes: { attributes: ['archived'] },
      responses: { 201: FullProject },
      run: async ({ project, user }) =>
        records.full(await changeProject(database, project.id, { archived: false }), signedIn(user)),
    }),
    operation('PUT /projects/:id/transfer', {
      summary: 'Transfer a project to another namespace',
      access: 'transfer_project',
      params: TransferProject,
      changes: {
        attributes: ['path_with_namespace'],
        before: async ({ project }) => ({ path_with_namespace: project.full_path }),
      },
      responses: { 200: FullProject },
      run: async ({ project, params, user }) => {
        const owner = signedIn(user)
        return records.full(await transferProject(deps, project, params.namespace, owner), owner)
      },
    }),
    operation('POST /projects/:id/housekeeping', {
      summary: 'Start the housekeeping of a repository',
      access: 'transfer_project',
      responses: { 201: Type.Null({ description: 'Always null.' }) },
      run: async ({ project }) => {
        if (!(await deps.startHousekeeping(project.id))) throw apiError('housekeeping_running')
        return respond(201, null)
      },
    }),
  ]
}

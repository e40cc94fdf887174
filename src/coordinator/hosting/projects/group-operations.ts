import { Type } from 'typebox'

import type { Group, Project, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { FIRST_PAGE } from '../../http/paging/paging.js'
import { described } from '../../http/parameters/described.js'
import type { ProjectRecords } from './record/records.js'
import { AnyProject, FullProject } from './record/schema.js'
import { ListProjects } from './settings/parameters.js'
import { type TransferDeps, transferProject } from './transfer/transfer-project.js'

const ListProjectsOfGroup = Type.Object({
  ...ListProjects.properties,
  with_shared: described(
    Type.Optional(Type.Boolean()),
    'Whether to include projects shared with the group; default true.',
  ),
  include_subgroups: described(
    Type.Optional(Type.Boolean()),
    'Whether to include projects of subgroups; default false.',
  ),
  with_security_reports: described(Type.Optional(Type.Boolean()), 'Accepted without effect.'),
})

const ProjectOfPath = Type.Object({
  project_id: described(Type.String(), 'ID or full path of the project.'),
})

export interface GroupProjectDeps extends TransferDeps {
  /** Finds a project by ID or full path. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
}

/** Projects of a group (API, D). */
export function groupProjectOperations(deps: GroupProjectDeps, records: ProjectRecords): Operation[] {
  return [
    operation('GET /groups/:id/projects', {
      summary: 'List group projects',
      access: 'read_group',
      params: ListProjectsOfGroup,
      responses: { 200: Type.Array(AnyProject) },
      paginated: true,
      run: ({ group, params: { with_shared, include_subgroups, ...filter }, user, paging }) => {
        const inGroup = { id: group.id, subgroups: include_subgroups ?? false, shared: with_shared ?? true }
        return records.list({ ...filter, inGroup }, user, paging)
      },
    }),
    operation('GET /groups/:id/projects/shared', {
      summary: 'List projects shared with a group',
      access: 'read_group',
      params: ListProjects,
      responses: { 200: Type.Array(AnyProject) },
      paginated: true,
      run: ({ group, params, user, paging }) =>
        records.list({ ...params, sharedWithGroup: group.id }, user, paging),
    }),
    operation('POST /groups/:id/projects/:project_id', {
      summary: 'Transfer a project to a group',
      access: 'administrator',
      params: Type.Object({
        ...ProjectOfPath.properties,
        id: described(Type.String(), 'ID or full path of the group.'),
      }),
      responses: { 201: FullProject },
      run: async ({ params, user }) => {
        const project = await deps.findProject(params.project_id)
        if (!project) throw notFound('Project')
        return records.full(await transferProject(deps, project, params.id, user), user)
      },
    }),
  ]
}

/** Project records that are part of a group record: at most one page of own and of shared projects. */
export async function projectsOfGroup(records: ProjectRecords, group: Group, viewer: User | undefined) {
  const paging = { ...FIRST_PAGE, perPage: 100 }
  const own = await records.list(
    { inGroup: { id: group.id, subgroups: false, shared: false } },
    viewer,
    paging,
  )
  const shared = await records.list({ sharedWithGroup: group.id }, viewer, paging)
  return { projects: own.rows, shared_projects: shared.rows }
}

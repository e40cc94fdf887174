import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { apiError } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page, type Paging } from '../../http/page.js'
import type { Repositories } from '../repositories/repositories.js'
import {
  addBadge,
  type BadgeRow,
  checkAddresses,
  deleteBadge,
  editBadge,
  findBadge,
  listBadges,
  listBadgesOfProject,
} from './link-badges.js'
import { type Placeholders, placeholdersOf, render } from './render.js'
import { Badge, ByBadgeId, CreateBadge, EditBadge, ListBadges, RenderBadge, RenderedBadge } from './schema.js'

export interface LinkBadgeDeps {
  database: Database
  repositories: Pick<Repositories, 'resolveRef'>
}

/** Badges with links, which pages show beside the name of a project (API, C4). */
export function linkBadgeOperations(deps: LinkBadgeDeps): Operation[] {
  return [...projectBadgeOperations(deps), ...groupBadgeOperations(deps)]
}

function projectBadgeOperations(deps: LinkBadgeDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/badges', {
      summary: 'List project badges, with those of its groups',
      access: 'read_project',
      params: ListBadges,
      responses: { 200: Type.Array(Badge) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const filled = await placeholdersFor(deps, project)
        const rows = await listBadgesOfProject(database, project, params.name)
        return onePage(rows, paging, ({ group_full_path: path, ...row }) => ({
          ...present(row, filled),
          ...(path !== null && { group_full_path: path }),
        }))
      },
    }),
    operation('GET /projects/:id/badges/render', {
      summary: 'Preview a badge',
      access: 'admin_project',
      params: RenderBadge,
      responses: { 200: RenderedBadge },
      run: async ({ project, params }) => {
        checkAddresses(params)
        return { ...params, ...renderedBy(params, await placeholdersFor(deps, project)) }
      },
    }),
    operation('GET /projects/:id/badges/:badge_id', {
      summary: 'Get a badge of a project',
      access: 'read_project',
      params: ByBadgeId,
      responses: { 200: Badge },
      run: async ({ project, params }) =>
        present(
          await findBadge(database, { project_id: project.id }, params.badge_id),
          await placeholdersFor(deps, project),
        ),
    }),
    operation('POST /projects/:id/badges', {
      summary: 'Add a badge to a project',
      access: 'admin_project',
      params: CreateBadge,
      responses: { 201: Badge },
      run: async ({ project, params }) =>
        present(
          await addBadge(database, { project_id: project.id }, params),
          await placeholdersFor(deps, project),
        ),
    }),
    operation('PUT /projects/:id/badges/:badge_id', {
      summary: 'Update a badge of a project',
      access: 'admin_project',
      params: EditBadge,
      responses: { 200: Badge },
      run: async ({ project, params }) => {
        await refuseForGroup(database, project, params.badge_id)
        const row = await editBadge(database, { project_id: project.id }, params)
        return present(row, await placeholdersFor(deps, project))
      },
    }),
    operation('DELETE /projects/:id/badges/:badge_id', {
      summary: 'Delete a badge of a project',
      access: 'admin_project',
      params: ByBadgeId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await refuseForGroup(database, project, params.badge_id)
        await deleteBadge(database, { project_id: project.id }, params.badge_id)
        return respond(204)
      },
    }),
  ]
}

function groupBadgeOperations({ database }: LinkBadgeDeps): Operation[] {
  return [
    operation('GET /groups/:id/badges', {
      summary: 'List group badges',
      access: 'read_group',
      params: ListBadges,
      responses: { 200: Type.Array(Badge) },
      paginated: true,
      run: async ({ group, params, paging }) =>
        onePage(await listBadges(database, { group_id: group.id }, params.name), paging, (row) =>
          present(row, {}),
        ),
    }),
    operation('GET /groups/:id/badges/render', {
      summary: 'Preview a badge',
      access: 'admin_group',
      params: RenderBadge,
      responses: { 200: RenderedBadge },
      run: async ({ params }) => {
        checkAddresses(params)
        return { ...params, ...renderedBy(params, {}) }
      },
    }),
    operation('GET /groups/:id/badges/:badge_id', {
      summary: 'Get a badge of a group',
      access: 'read_group',
      params: ByBadgeId,
      responses: { 200: Badge },
      run: async ({ group, params }) =>
        present(await findBadge(database, { group_id: group.id }, params.badge_id), {}),
    }),
    operation('POST /groups/:id/badges', {
      summary: 'Add a badge to a group',
      access: 'admin_group',
      params: CreateBadge,
      responses: { 201: Badge },
      run: async ({ group, params }) => present(await addBadge(database, { group_id: group.id }, params), {}),
    }),
    operation('PUT /groups/:id/badges/:badge_id', {
      summary: 'Update a badge of a group',
      access: 'admin_group',
      params: EditBadge,
      responses: { 200: Badge },
      run: async ({ group, params }) =>
        present(await editBadge(database, { group_id: group.id }, params), {}),
    }),
    operation('DELETE /groups/:id/badges/:badge_id', {
      summary: 'Delete a badge of a group',
      access: 'admin_group',
      params: ByBadgeId,
      responses: { 204: NoBody },
      run: async ({ group, params }) => {
        await deleteBadge(database, { group_id: group.id }, params.badge_id)
        return respond(204)
      },
    }),
  ]
}

/** Throws an error for a badge of a group, which can be changed only in the group. */
async function refuseForGroup(database: Database, project: Project, id: number): Promise<void> {
  const badges = await listBadgesOfProject(database, project)
  if (badges.some((badge) => badge.id === id && badge.group_id !== null)) {
    throw apiError('badge_of_group')
  }
}

async function placeholdersFor({ repositories }: LinkBadgeDeps, project: Project): Promise<Placeholders> {
  const { id, default_branch: branch } = project
  const head = branch === null ? undefined : await repositories.resolveRef(id, `refs/heads/${branch}`)
  return placeholdersOf(project, head?.sha)
}

function present(row: BadgeRow, placeholders: Placeholders): Badge {
  const { id, name, link_url, image_url, project_id } = row
  return {
    id,
    name,
    link_url,
    image_url,
    ...renderedBy(row, placeholders),
    kind: project_id === null ? 'group' : 'project',
  }
}

function renderedBy({ link_url, image_url }: Pick<BadgeRow, 'link_url' | 'image_url'>, filled: Placeholders) {
  return { rendered_link_url: render(link_url, filled), rendered_image_url: render(image_url, filled) }
}

/** Pages the rows in memory; there are at most a few hundred badges. */
function onePage<Row>(rows: Row[], { perPage, offset }: Paging, presentRow: (row: Row) => unknown) {
  return page(rows.slice(offset, offset + perPage).map(presentRow), rows.length)
}

import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import {
  listMilestones,
  type MilestoneFilter,
  type MilestoneRow,
  type MilestoneScope,
} from '../../hosting/milestone-store.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { Milestone, presentMilestones } from '../../http/presenters/present-milestone.js'
import { signedIn } from '../../http/viewer.js'
import { createMilestone, deleteMilestone, editMilestone, requireMilestone } from './milestones.js'
import { IN_GROUP, IN_PROJECT, type MilestoneRoutes } from './owner-routes.js'
import { promoteMilestone } from './promote.js'
import {
  ById,
  CHANGES,
  CreateMilestone,
  EditMilestone,
  ListGroupMilestones,
  ListProjectMilestones,
} from './schema.js'

export interface MilestoneDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Milestones of projects and groups (API, G4). */
export function milestoneOperations(deps: MilestoneDeps): Operation[] {
  return [
    ...listOperations(deps),
    ...operationsIn(deps, IN_PROJECT),
    ...operationsIn(deps, IN_GROUP),
    promotion(deps),
  ]
}

function listOperations(deps: MilestoneDeps): Operation[] {
  return [
    operation(IN_PROJECT.routes.list, {
      summary: 'List project milestones',
      access: IN_PROJECT.read,
      params: ListProjectMilestones,
      responses: { 200: Type.Array(Milestone) },
      paginated: true,
      run: (call) => list(deps, { ...IN_PROJECT.at(call), descendants: false }, call.params, call.paging),
    }),
    operation(IN_GROUP.routes.list, {
      summary: 'List group milestones',
      access: IN_GROUP.read,
      params: ListGroupMilestones,
      responses: { 200: Type.Array(Milestone) },
      paginated: true,
      run: (call) => {
        const { include_descendants: descendants = false, ...filter } = call.params
        return list(deps, { ...IN_GROUP.at(call), descendants }, filter, call.paging)
      },
    }),
  ]
}

/** `iids` are numbers within one project or group, so they select nothing among the milestones of several. */
async function list(
  deps: MilestoneDeps,
  at: Omit<MilestoneScope, 'ancestors'>,
  { include_ancestors, include_parent_milestones, iids, ...filter }: ListProjectMilestones,
  paging: Paging,
): Promise<Page> {
  const ancestors = include_ancestors ?? include_parent_milestones ?? false
  const isOfOne = !ancestors && !at.descendants
  const wanted: MilestoneFilter = { ...filter, ...(isOfOne && { iids }) }
  const { rows, total } = await listMilestones(deps.database, { ...at, ancestors }, wanted, paging)
  return page(await presentMilestones(deps.database, deps.externalUrl, rows), total)
}

function operationsIn<A extends Access>(deps: MilestoneDeps, owner: MilestoneRoutes<A>): Operation[] {
  const { database } = deps
  const { routes, of, read, manage, at } = owner
  return [
    operation(routes.get, {
      summary: `Get a milestone of ${of}`,
      access: read,
      params: ById,
      responses: { 200: Milestone },
      run: async (call) =>
        record(deps, await requireMilestone(database, at(call).owner, call.params.milestone_id)),
    }),
    operation(routes.create, {
      summary: `Create a milestone of ${of}`,
      access: manage,
      params: CreateMilestone,
      responses: { 201: Milestone },
      run: async (call) =>
        record(deps, await createMilestone(database, at(call).owner, call.params, signedIn(at(call).viewer))),
    }),
    operation(routes.edit, {
      summary: `Update, close or activate a milestone of ${of}`,
      access: manage,
      params: EditMilestone,
      atLeastOne: [CHANGES],
      responses: { 200: Milestone },
      run: async (call) =>
        record(deps, await editMilestone(database, at(call).owner, call.params, signedIn(at(call).viewer))),
    }),
    operation(routes.delete, {
      summary: `Delete a milestone of ${of}`,
      access: manage,
      params: ById,
      responses: { 204: NoBody },
      modifiedAt: async (call) =>
        (await requireMilestone(database, at(call).owner, call.params.milestone_id)).updated_at,
      run: async (call) => {
        await deleteMilestone(database, at(call).owner, call.params.milestone_id)
        return respond(204)
      },
    }),
  ]
}

function promotion(deps: MilestoneDeps): Operation {
  return operation('POST /projects/:id/milestones/:milestone_id/promote', {
    summary: 'Promote a project milestone to a group milestone',
    access: IN_PROJECT.manage,
    params: ById,
    responses: { 200: Milestone },
    run: async ({ project, user, params }) =>
      record(deps, await promoteMilestone(deps.database, project, signedIn(user), params.milestone_id)),
  })
}

async function record(
  { database, externalUrl }: MilestoneDeps,
  row: MilestoneRow,
): Promise<Milestone | undefined> {
  return (await presentMilestones(database, externalUrl, [row]))[0]
}

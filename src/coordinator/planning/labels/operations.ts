import { Type } from 'typebox'

import type { Project, User } from '../../access/caller.js'
import type { Access } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import {
  deleteLabelRow,
  type LabelKey,
  type LabelOwner,
  type LabelRow,
  type LabelScope,
  listLabels,
} from '../stores/label-store.js'
import { addSubscription, removeSubscription } from '../stores/label-subscription-store.js'
import { labelCounts } from './counts.js'
import { createLabel, editLabel, requireLabel } from './labels.js'
import { IN_GROUP, IN_PROJECT, type LabelRoutes } from './owner-routes.js'
import { presentLabels } from './present.js'
import { promoteLabel } from './promote.js'
import {
  ById,
  ByName,
  CHANGES,
  CreateLabel,
  CreateProjectLabel,
  EditGroupLabel,
  EditNamedGroupLabel,
  EditNamedProjectLabel,
  EditProjectLabel,
  GetLabel,
  GroupLabel,
  type LabelChanges,
  ListedGroupLabel,
  ListedProjectLabel,
  ListGroupLabels,
  ListProjectLabels,
  Named,
  NAMED_BY,
  ProjectLabel,
} from './schema.js'

/** Labels of projects and groups (API, G3). */
export function labelOperations(database: Database): Operation[] {
  return [
    ...listOperations(database),
    ...operationsIn(database, IN_PROJECT, {
      record: ProjectLabel,
      create: CreateProjectLabel,
      edit: EditProjectLabel,
      editNamed: EditNamedProjectLabel,
      changes: [...CHANGES, 'priority'],
    }),
    ...operationsIn(database, IN_GROUP, {
      record: GroupLabel,
      create: CreateLabel,
      edit: EditGroupLabel,
      editNamed: EditNamedGroupLabel,
      changes: CHANGES,
    }),
    ...promotions(database),
  ]
}

function listOperations(database: Database): Operation[] {
  return [
    operation(IN_PROJECT.routes.list, {
      summary: 'List the labels of a project',
      access: IN_PROJECT.read,
      params: ListProjectLabels,
      responses: { 200: Type.Array(ListedProjectLabel) },
      paginated: true,
      run: (call) => {
        const { include_ancestor_groups: ancestors = true } = call.params
        const scope = { ...IN_PROJECT.at(call), ancestors, descendants: false }
        return list(database, scope, call.params, call.paging)
      },
    }),
    operation(IN_GROUP.routes.list, {
      summary: 'List the labels of a group',
      access: IN_GROUP.read,
      params: ListGroupLabels,
      responses: { 200: Type.Array(ListedGroupLabel) },
      paginated: true,
      run: (call) => {
        const { include_ancestor_groups: ancestors = true } = call.params
        const { include_descendant_groups: descendants = false } = call.params
        return list(database, { ...IN_GROUP.at(call), ancestors, descendants }, call.params, call.paging)
      },
    }),
  ]
}

async function list(
  database: Database,
  scope: LabelScope & { viewer: User | undefined },
  { search = '', with_counts = false }: { search?: string | undefined; with_counts?: boolean | undefined },
  paging: Paging,
): Promise<Page> {
  const { owner, viewer } = scope
  const { rows, total } = await listLabels(database, scope, search, paging)
  const records = await presentLabels(database, owner, viewer, rows)
  if (!with_counts) return page(records, total)
  const ids = records.map(({ id }) => id)
  const counts = await labelCounts(database, owner, viewer, ids)
  return page(
    records.map((record) => ({ ...record, ...counts.get(record.id) })),
    total,
  )
}

/** Schemas that differ between the two places: those of a project also have a priority. */
interface Schemas {
  record: typeof GroupLabel
  create: typeof CreateLabel
  edit: typeof EditGroupLabel
  editNamed: typeof EditNamedGroupLabel
  /** Parameters of which an update needs one. */
  changes: readonly string[]
}

function operationsIn<A extends Access>(
  database: Database,
  owner: LabelRoutes<A>,
  schemas: Schemas,
): Operation[] {
  const { routes, of, read, manage, at } = owner
  const { record: Record, changes } = schemas
  return [
    operation(routes.get, {
      summary: `Get a label of ${of}`,
      access: read,
      params: GetLabel,
      responses: { 200: Record },
      run: async (call) => {
        const { label_id, include_ancestor_groups: ancestors = true } = call.params
        const { owner, viewer } = at(call)
        const where = ancestors ? { ancestorsFor: { viewer } } : {}
        return present(at(call), await requireLabel(database, owner, inPath(label_id), where))
      },
    }),
    operation(routes.create, {
      summary: `Create a label of ${of}`,
      access: manage,
      params: schemas.create,
      responses: { 201: Record },
      run: async (call) => present(at(call), await createLabel(database, at(call).owner, call.params)),
    }),
    operation(routes.edit, {
      summary: `Update a label of ${of}`,
      access: manage,
      params: schemas.edit,
      atLeastOne: [changes],
      responses: { 200: Record },
      run: async (call) => edit(at(call), inPath(call.params.label_id), call.params),
    }),
    operation(routes.editNamed, {
      summary: `Update a label of ${of} that the body names`,
      access: manage,
      params: schemas.editNamed,
      exactlyOne: [NAMED_BY],
      atLeastOne: [changes],
      responses: { 200: Record },
      run: async (call) => edit(at(call), named(call.params), call.params),
    }),
    operation(routes.delete, {
      summary: `Delete a label of ${of}`,
      access: manage,
      params: ById,
      responses: { 204: NoBody },
      modifiedAt: async (call) =>
        (await requireLabel(database, at(call).owner, inPath(call.params.label_id))).updated_at,
      run: (call) => remove(at(call).owner, inPath(call.params.label_id)),
    }),
    operation(routes.deleteNamed, {
      summary: `Delete a label of ${of} that a parameter names`,
      access: manage,
      params: ByName,
      exactlyOne: [NAMED_BY],
      responses: { 204: NoBody },
      modifiedAt: async (call) =>
        (await requireLabel(database, at(call).owner, named(call.params))).updated_at,
      run: (call) => remove(at(call).owner, named(call.params)),
    }),
    operation(routes.subscribe, {
      summary: `Subscribe to a label of ${of}`,
      access: read,
      params: ById,
      responses: { 201: Record, 304: NoBody },
      run: (call) => subscribe(at(call), call.params.label_id, addSubscription),
    }),
    operation(routes.unsubscribe, {
      summary: `Unsubscribe from a label of ${of}`,
      access: read,
      params: ById,
      responses: { 201: Record, 304: NoBody },
      run: (call) => subscribe(at(call), call.params.label_id, removeSubscription),
    }),
  ]

  interface Owned {
    owner: LabelOwner
    viewer: User | undefined
  }

  async function present({ owner, viewer }: Owned, row: LabelRow): Promise<unknown> {
    return (await presentLabels(database, owner, viewer, [row]))[0]
  }

  async function edit(owned: Owned, label: LabelKey, changed: LabelChanges): Promise<unknown> {
    return present(owned, await editLabel(database, owned.owner, label, changed))
  }

  async function remove(owner: LabelOwner, label: LabelKey): Promise<unknown> {
    const { id } = await requireLabel(database, owner, label)
    await deleteDependents(database, 'label', id)
    if (!(await deleteLabelRow(database, id))) throw notFound('Label')
    return respond(204)
  }

  /** `change` reports whether it changed anything. */
  async function subscribe(owned: Owned, label: string, change: typeof addSubscription): Promise<unknown> {
    const row = await requireLabel(database, owned.owner, inPath(label), {
      ancestorsFor: { viewer: owned.viewer },
    })
    const isGroupLabelInProject = 'project_id' in owned.owner && row.project_id === null
    const projectId = isGroupLabelInProject && 'project_id' in owned.owner ? owned.owner.project_id : null
    const isChanged = await change(database, row.id, { userId: signedIn(owned.viewer).id, projectId })
    return isChanged ? respond(201, await present(owned, row)) : respond(304)
  }
}

/** The label of a path. */
function inPath(idOrName: string): LabelKey {
  return { idOrName }
}

/** The label of parameters, where a name is never an ID: a name of digits must not delete another label. */
function named({ label_id, name = '' }: ByName): LabelKey {
  return label_id === undefined ? { name } : { id: label_id }
}

function promotions(database: Database): Operation[] {
  return [
    operation('PUT /projects/:id/labels/:label_id/promote', {
      summary: 'Promote a project label to a group label',
      access: IN_PROJECT.manage,
      params: ById,
      responses: { 200: GroupLabel },
      run: ({ project, user, params }) => promote(project, signedIn(user), inPath(params.label_id)),
    }),
    operation('PUT /projects/:id/labels/promote', {
      summary: 'Promote a project label that the body names',
      access: IN_PROJECT.manage,
      params: Named,
      responses: { 200: GroupLabel },
      run: ({ project, user, params }) => promote(project, signedIn(user), { name: params.name }),
    }),
  ]

  async function promote(project: Project, user: User, label: LabelKey): Promise<unknown> {
    const group_id = project.namespace_id
    const row = await promoteLabel(database, project, user, label)
    return (await presentLabels(database, { group_id }, user, [row]))[0]
  }
}

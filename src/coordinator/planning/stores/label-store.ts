import { type Expression, type RawBuilder, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import { maySeeGroup, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { MAX_COUNTED } from '../../database/count-rows.js'
import { groupsAbove } from '../../database/stores/namespace-store.js'
import type { LabelTable } from '../../database/tables/labels.js'
import { anyContainsText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import {
  isAvailableTo,
  isOwnedBy,
  type OwnerScope,
  type ProjectOrGroup,
  scopeConditions,
} from '../../hosting/owner-scope.js'
import type { Paging } from '../../http/page.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'

export type LabelRow = Selectable<LabelTable>

/** Owner of a label. */
export type LabelOwner = ProjectOrGroup

export type LabelScope = OwnerScope

/** Lists labels by name. `search`: text that name or description contain, case-insensitive. */
export async function listLabels(
  database: Database,
  scope: LabelScope,
  search: string,
  paging: Paging,
): Promise<Rows<LabelRow>> {
  const parts = (await scopeConditions(database, 'label', scope)).map((part) =>
    matching(database, part, search),
  )
  const end = paging.offset + paging.perPage
  const ids = joined(
    database,
    parts.map((part) => inOrder(part).select(['label.id', 'label.name']).limit(end)),
  )
    .select('id')
    .orderBy('name')
    .orderBy('id')
    .limit(paging.perPage)
    .offset(paging.offset)
  const rows = await inOrder(database.selectFrom('label').where('label.id', 'in', ids))
    .selectAll('label')
    .execute()
  const counted = parts.map((part) => part.select(['label.id', 'label.name']).limit(MAX_COUNTED + 1))
  return { rows, total: await countAround(database, joined(database, counted), paging, rows.length) }
}

type LabelQuery = ReturnType<typeof matching>

function matching(database: Database, condition: RawBuilder<SqlBool>, search: string) {
  return database
    .selectFrom('label')
    .where(() => condition)
    .$if(search !== '', (all) =>
      all.where(({ ref }) =>
        anyContainsText([ref('label.name'), sql`coalesce(label.description, '')`], search),
      ),
    )
}

function inOrder(query: LabelQuery): LabelQuery {
  return query.orderBy('label.name').orderBy('label.id')
}

/** The rows of all queries together. */
function joined(database: Database, queries: Expression<{ id: number; name: string }>[]) {
  const all = queries.map((query) => sql`select * from (${query}) as part`)
  return database.selectFrom(
    sql<{ id: number; name: string }>`(${sql.join(all, sql` union all `)})`.as('parts'),
  )
}

/** As `isAvailableTo`, without labels of groups above a group that the caller may not see. */
function isVisible(owner: LabelOwner, viewer: Viewer): RawBuilder<SqlBool> {
  if ('project_id' in owner) return isAvailableTo('label', owner)
  return sql<SqlBool>`(${isOwnedBy('label', owner)} or label.group_id in (select namespace.id from namespace
    where namespace.id in ${groupsAbove(owner.group_id)} and ${maySeeGroup(viewer)}))`
}

/** What names a label: an ID, a name, or text that is one of them, where IDs come first. */
export type LabelKey = { id: number } | { name: string } | { idOrName: string }

/** Where to look for a label besides the owner. */
export interface LabelSearch {
  /** Also in the groups above; in those above a group only if this caller may see them. */
  ancestorsFor?: { viewer: Viewer }
}

/** The label that the key names among those of the owner. Undefined if there is none. */
export async function findLabel(
  database: Database,
  owner: LabelOwner,
  key: LabelKey,
  { ancestorsFor }: LabelSearch = {},
): Promise<LabelRow | undefined> {
  const among = database
    .selectFrom('label')
    .selectAll()
    .where(() => (ancestorsFor ? isVisible(owner, ancestorsFor.viewer) : isOwnedBy('label', owner)))
  const name = 'name' in key ? key.name : 'idOrName' in key ? key.idOrName : undefined
  const id = 'id' in key ? key.id : 'idOrName' in key ? idIn(key.idOrName) : undefined
  const byId = id === undefined ? undefined : await among.where('id', '=', id).executeTakeFirst()
  if (byId || name === undefined) return byId
  return among.where('name', '=', name).orderBy('id').executeTakeFirst()
}

/** Only digits are an ID: `0x1` and `1e3` are names. */
function idIn(text: string): number | undefined {
  const id = /^\d+$/.test(text) ? Number(text) : undefined
  return Number.isSafeInteger(id) ? id : undefined
}

/** The labels that things in a project can have, by each of the names or IDs that names one. Names come first. */
export async function labelsForProject(
  database: Database,
  projectId: number,
  namesOrIds: readonly string[],
): Promise<Map<string, LabelRow>> {
  const ids = namesOrIds.map(idIn).filter((id) => id !== undefined)
  const rows = await database
    .selectFrom('label')
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('name', 'in', namesOrIds), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])]),
    )
    .where(() => isAvailableTo('label', { project_id: projectId }))
    .orderBy('id', 'desc')
    .execute()
  return new Map([
    ...rows.map((row): [string, LabelRow] => [String(row.id), row]),
    ...rows.map((row): [string, LabelRow] => [row.name, row]),
  ])
}

/** Whether the owner, or a group above it, has a label with this name other than the one with the ID `except`. */
export async function isNameTaken(
  tx: Transaction,
  owner: LabelOwner,
  name: string,
  except = 0,
): Promise<boolean> {
  const taken = await tx
    .selectFrom('label')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', except)
    .where(() => isAvailableTo('label', owner))
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

export type NewLabelRow = Pick<LabelRow, 'name' | 'color' | 'description'>

/** Undefined if the owner has a label with this name. */
export async function insertLabel(
  tx: Transaction,
  owner: LabelOwner,
  values: NewLabelRow,
): Promise<LabelRow | undefined> {
  const now = Date.now()
  return tx
    .insertInto('label')
    .values({ ...values, ...owner, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Color of labels that are created by their name alone. */
const DEFAULT_COLOR = '#6699cc'

export const MAX_NAME_LENGTH = 255

/**
 * IDs of the labels of a project, or of the groups above it, that have these names, in the order of the names. With
 * `mayCreate`, labels that do not exist are created in the project; otherwise they are left out. Names are trimmed;
 * empty, repeated and too long ones are left out.
 */
export async function findOrCreateLabels(
  tx: Transaction,
  projectId: number,
  names: readonly string[],
  { mayCreate }: { mayCreate: boolean },
): Promise<number[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))].filter(
    (name) => name !== '' && name.length <= MAX_NAME_LENGTH,
  )
  const found = await idsByName(tx, projectId, wanted)
  const missing = wanted.filter((name) => !found.has(name))
  if (mayCreate && missing.length > 0) {
    // In one order, so that two requests do not wait for each other.
    for (const name of missing.toSorted()) {
      await insertLabel(tx, { project_id: projectId }, { name, color: DEFAULT_COLOR, description: null })
    }
    // Another request may have created some of them.
    for (const [name, id] of await idsByName(tx, projectId, missing)) found.set(name, id)
  }
  return wanted.map((name) => found.get(name)).filter((id) => id !== undefined)
}

/** Databases limit the number of values in a query. */
const NAMES_PER_QUERY = 500

/** A label of the project itself takes precedence over one of a group. */
async function idsByName(
  tx: Transaction,
  projectId: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  const rows: { id: number; name: string; project_id: number | null }[] = []
  for (let start = 0; start < names.length; start += NAMES_PER_QUERY) {
    const found = await tx
      .selectFrom('label')
      .select(['id', 'name', 'project_id'])
      .where('name', 'in', names.slice(start, start + NAMES_PER_QUERY))
      .where(() => isAvailableTo('label', { project_id: projectId }))
      .orderBy('id', 'desc')
      .execute()
    rows.push(...found)
  }
  const ofGroups = rows.filter(({ project_id }) => project_id === null)
  const own = rows.filter(({ project_id }) => project_id !== null)
  return new Map([...ofGroups, ...own].map(({ name, id }) => [name, id]))
}

/** Undefined if it was deleted. */
export function updateLabel(
  tx: Transaction,
  id: number,
  changes: Updateable<LabelTable>,
): Promise<LabelRow | undefined> {
  return tx
    .updateTable('label')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Whether it existed. */
export async function deleteLabelRow(database: Database, id: number): Promise<boolean> {
  const deleted = await database.deleteFrom('label').where('id', '=', id).returning('id').executeTakeFirst()
  return deleted !== undefined
}

/** Priorities in a project, by label ID. */
export async function prioritiesOf(
  database: Database,
  projectId: number,
  labelIds: readonly number[],
): Promise<Map<number, number>> {
  if (labelIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('label_priority')
    .select(['label_id', 'priority'])
    .where('project_id', '=', projectId)
    .where('label_id', 'in', labelIds)
    .execute()
  return new Map(rows.map(({ label_id, priority }) => [label_id, priority]))
}

/** Null: none. */
export async function setPriority(
  tx: Transaction,
  projectId: number,
  labelId: number,
  priority: number | null,
): Promise<void> {
  if (priority === null) {
    await tx
      .deleteFrom('label_priority')
      .where('project_id', '=', projectId)
      .where('label_id', '=', labelId)
      .execute()
    return
  }
  await tx
    .insertInto('label_priority')
    .values({ project_id: projectId, label_id: labelId, priority })
    .onConflict((conflict) => conflict.columns(['project_id', 'label_id']).doUpdateSet({ priority }))
    .execute()
}

/** Labels by ID; IDs may repeat, and deleted labels are missing. */
export async function labelsById(
  database: Database,
  ids: readonly (number | null)[],
): Promise<Map<number, LabelRow>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await database.selectFrom('label').selectAll().where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

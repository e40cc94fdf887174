import type { User } from '../../access/caller.js'
import { maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { EpicRow } from '../stores/epic-store.js'
import type { Epic } from './epic-schema.js'

export interface PresentDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** From where epics are read: the ID of the group of the path, and the caller. */
export interface EpicOrigin {
  groupId: number
  viewer: User | undefined
}

/** Records of epics, in the order of the rows; the number of queries does not depend on their number. */
export async function presentEpics(
  { database, externalUrl }: PresentDeps,
  { groupId, viewer }: EpicOrigin,
  rows: readonly EpicRow[],
): Promise<Epic[]> {
  const authors = rows.map(({ author_id }) => author_id)
  const facts: Facts = {
    externalUrl,
    groupId,
    users: await usersById(database, authors),
    paths: await pathsOfGroups(database, rows),
    parents: await visibleParents(database, viewer, rows),
  }
  return rows.map((row) => presentEpic(row, facts))
}

interface Facts {
  externalUrl: string
  groupId: number
  users: Map<number, User>
  paths: Map<number, string>
  parents: Map<number, ParentRow>
}

function presentEpic(row: EpicRow, facts: Facts): Epic {
  const { users, parents, externalUrl } = facts
  const author = users.get(row.author_id)
  const parent = parents.get(row.parent_id ?? 0)
  return {
    id: row.id,
    iid: row.iid,
    group_id: row.group_id,
    parent_id: parent?.id ?? null,
    parent_iid: parent?.iid ?? null,
    title: row.title,
    description: row.description,
    state: row.state,
    author: author ? presentUser(author, externalUrl) : null,
    ...NOTHING,
    ...datesOf(row),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    closed_at: isoTimeOrNull(row.closed_at),
    ...addressesOf(row, parent, facts),
  }
}

/** What epics do not have. */
const NOTHING = { confidential: false, labels: [], upvotes: 0, downvotes: 0 }

function addressesOf(row: EpicRow, parent: ParentRow | undefined, { externalUrl, groupId, paths }: Facts) {
  const path = paths.get(row.group_id) ?? ''
  const [short, full] = [`&${row.iid}`, `${path}&${row.iid}`]
  const groups = `${externalUrl}/api/v4/groups`
  const self = `${groups}/${row.group_id}/epics/${row.iid}`
  return {
    web_url: epicUrl(externalUrl, path, row.iid),
    references: { short, relative: row.group_id === groupId ? short : full, full },
    _links: {
      self,
      epic_issues: `${self}/issues`,
      group: `${groups}/${row.group_id}`,
      parent: parent ? `${groups}/${parent.group_id}/epics/${parent.iid}` : null,
    },
  }
}

/** URL of the page of an epic; `path` is the full path of its group. */
export function epicUrl(externalUrl: string, path: string, iid: number): string {
  return `${externalUrl}/groups/${path}/-/epics/${iid}`
}

function datesOf({ start_date, due_date }: EpicRow) {
  return {
    start_date,
    start_date_is_fixed: start_date !== null,
    start_date_fixed: start_date,
    start_date_from_inherited_source: null,
    due_date,
    due_date_is_fixed: due_date !== null,
    due_date_fixed: due_date,
    due_date_from_inherited_source: null,
    end_date: due_date,
  }
}

/** Full paths of the groups of epics, by their IDs. */
async function pathsOfGroups(database: Database, epics: readonly EpicRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(epics.map(({ group_id }) => group_id))]
  if (ids.length === 0) return new Map()
  const groups = await database
    .selectFrom('namespace')
    .select(['id', 'full_path'])
    .where('id', 'in', ids)
    .execute()
  return new Map(groups.map(({ id, full_path }) => [id, full_path]))
}

type ParentRow = Pick<EpicRow, 'id' | 'iid' | 'group_id'>

async function visibleParents(
  database: Database,
  viewer: User | undefined,
  rows: readonly EpicRow[],
): Promise<Map<number, ParentRow>> {
  const ids = [...new Set(rows.flatMap(({ parent_id }) => parent_id ?? []))]
  if (ids.length === 0) return new Map()
  const parents = await database
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.group_id')
    .select(['epic.id', 'epic.iid', 'epic.group_id'])
    .where('epic.id', 'in', ids)
    .where(() => maySeeGroup(viewer))
    .execute()
  return new Map(parents.map((parent) => [parent.id, parent]))
}

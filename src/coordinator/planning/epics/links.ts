import type { User } from '../../access/caller.js'
import { maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { requireVisibleEpic } from '../access/epic-access.js'
import { deleteEpicLink, type EpicLinkRow, insertEpicLink, linksOfEpic } from '../stores/epic-link-store.js'
import { type EpicRow, lockEpic } from '../stores/epic-store.js'
import { requireEpic } from './epics.js'
import type { CreateEpicLink, EpicLinkType } from './schema.js'

/** Maximum number of links of an epic. */
const MAX_LINKS = 100

/** A link as seen from the epic of the path. */
export interface LinkedEpics {
  link: EpicLinkRow
  source: EpicRow
  target: EpicRow
}

/** The links of an epic to epics that the caller may see, oldest first. */
export async function listEpicLinks(
  database: Database,
  source: EpicRow,
  viewer: User | undefined,
): Promise<LinkedEpics[]> {
  const links = await linksOfEpic(database, source.id)
  if (links.length === 0) return []
  const others = await database
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.group_id')
    .selectAll('epic')
    .where(
      'epic.id',
      'in',
      links.map((link) => otherEnd(link, source.id)),
    )
    .where(() => maySeeGroup(viewer))
    .execute()
  const byId = new Map(others.map((epic) => [epic.id, epic]))
  return links.flatMap((link) => {
    const target = byId.get(otherEnd(link, source.id))
    return target ? [{ link, source, target }] : []
  })
}

interface LinkScope {
  groupId: number
  user: User
}

/**
 * Links two epics. Throws 404 for an epic that is unknown or hidden, 409 if the two are linked already, and 400 if one has
 * too many links.
 */
export function createEpicLink(
  database: Database,
  { groupId, user }: LinkScope,
  { epic_iid, target_group_id, target_epic_iid, link_type = 'relates_to' }: CreateEpicLink,
): Promise<LinkedEpics> {
  return inTransaction(database, async (tx) => {
    const source = await requireEpic(tx, groupId, epic_iid)
    const target = await requireVisibleEpic(tx, user, { group: target_group_id, iid: target_epic_iid })
    if (target.id === source.id) throw notFound('Epic')
    // In the order of their IDs, so that two requests for the same pair do not deadlock.
    for (const { id, group_id } of [source, target].toSorted((one, other) => one.id - other.id)) {
      if (!(await lockEpic(tx, group_id, id))) throw notFound('Epic')
    }
    const links = await linksOfEpic(tx, source.id)
    if (links.some((link) => otherEnd(link, source.id) === target.id)) throw apiError('epic_link_exists')
    const isFull = links.length >= MAX_LINKS || (await linksOfEpic(tx, target.id)).length >= MAX_LINKS
    if (isFull) throw apiError('too_many_epic_links', { max: MAX_LINKS })
    const [from, to] = link_type === 'is_blocked_by' ? [target, source] : [source, target]
    const stored = link_type === 'relates_to' ? link_type : 'blocks'
    const link = await insertEpicLink(tx, { source_id: from.id, target_id: to.id, link_type: stored })
    return { link, source, target }
  })
}

/** Throws 404 for an unknown epic or link, and for a link to an epic that the caller may not see. */
export function removeEpicLink(
  database: Database,
  { groupId, user }: LinkScope,
  { epic_iid, related_epic_link_id }: { epic_iid: number; related_epic_link_id: number },
): Promise<LinkedEpics> {
  return inTransaction(database, async (tx) => {
    const source = await requireEpic(tx, groupId, epic_iid)
    const linked = (await listEpicLinks(tx, source, user)).find(
      ({ link }) => link.id === related_epic_link_id,
    )
    if (!linked || !(await deleteEpicLink(tx, linked.link.id))) throw notFound()
    return linked
  })
}

/** What the epic `id` does to the other one. */
export function linkTypeFrom({ source_id, link_type }: EpicLinkRow, id: number): EpicLinkType {
  if (link_type === 'relates_to') return link_type
  return source_id === id ? 'blocks' : 'is_blocked_by'
}

function otherEnd({ source_id, target_id }: EpicLinkRow, id: number): number {
  return source_id === id ? target_id : source_id
}

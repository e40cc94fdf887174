import type { Selectable } from 'kysely'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { groupsAbove } from '../../database/stores/namespace-store.js'
import type { BadgeTable } from '../../database/tables/projects.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { CreateBadge, EditBadge } from './schema.js'

export type BadgeRow = Selectable<BadgeTable>

/** Owner of badges: a project or a group. */
export type BadgeOwner = { project_id: number } | { group_id: number }

const MAX_BADGES = 100

/** Badges of the owner itself, in order of creation. */
export function listBadges(database: Database, owner: BadgeOwner, name?: string): Promise<BadgeRow[]> {
  return ownBadges(database, owner)
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .orderBy('id')
    .execute()
}

export type BadgeOfProject = BadgeRow & { group_full_path: string | null }

/** Badges of the project and of its ancestor groups, with the paths of these groups. */
export function listBadgesOfProject(
  database: Database,
  project: Project,
  name?: string,
): Promise<BadgeOfProject[]> {
  return database
    .selectFrom('badge')
    .leftJoin('namespace', 'namespace.id', 'badge.group_id')
    .selectAll('badge')
    .select('namespace.full_path as group_full_path')
    .where(({ or, eb }) =>
      or([eb('project_id', '=', project.id), eb('group_id', 'in', groupsAbove(project.namespace_id))]),
    )
    .$if(name !== undefined, (query) => query.where('badge.name', '=', name ?? ''))
    .orderBy('badge.id')
    .execute()
}

/** Throws 404 for an unknown badge and for one of another owner. */
export async function findBadge(database: Database, owner: BadgeOwner, id: number): Promise<BadgeRow> {
  const badge = await ownBadges(database, owner).where('id', '=', id).executeTakeFirst()
  if (!badge) throw notFound('Badge')
  return badge
}

export async function addBadge(database: Database, owner: BadgeOwner, badge: CreateBadge): Promise<BadgeRow> {
  checkAddresses(badge)
  if ((await listBadges(database, owner)).length >= MAX_BADGES) {
    throw invalidRecord({ base: [`There are ${MAX_BADGES} badges already: delete one first`] })
  }
  const { link_url, image_url, name = null } = badge
  return database
    .insertInto('badge')
    .values({ ...owner, link_url, image_url, name, created_at: Date.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function editBadge(
  database: Database,
  owner: BadgeOwner,
  { badge_id, ...changes }: EditBadge,
): Promise<BadgeRow> {
  const badge = await findBadge(database, owner, badge_id)
  checkAddresses(changes)
  if (Object.keys(changes).length === 0) return badge
  return database
    .updateTable('badge')
    .set(changes)
    .where('id', '=', badge.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteBadge(database: Database, owner: BadgeOwner, id: number): Promise<void> {
  const badge = await findBadge(database, owner, id)
  await database.deleteFrom('badge').where('id', '=', badge.id).execute()
}

/** Throws 400 for URLs that are not HTTP, so that a badge cannot run a script in the page that shows it. */
export function checkAddresses({ link_url, image_url }: Partial<CreateBadge>): void {
  const problems = {
    ...(link_url === undefined || isHttp(link_url) ? {} : { link_url: [PROBLEM] }),
    ...(image_url === undefined || isHttp(image_url) ? {} : { image_url: [PROBLEM] }),
  }
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
}

const PROBLEM = 'is blocked: Only allowed schemes are http, https'

function isHttp(address: string): boolean {
  // A placeholder is not a valid part of a URL until it is replaced.
  const plain = address.replace(/%\{\w+\}/g, 'x')
  return URL.canParse(plain) && ['http:', 'https:'].includes(new URL(plain).protocol)
}

function ownBadges(database: Database, owner: BadgeOwner) {
  const query = database.selectFrom('badge').selectAll()
  return 'project_id' in owner
    ? query.where('project_id', '=', owner.project_id)
    : query.where('group_id', '=', owner.group_id)
}

import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { ReleaseLinkTable, ReleaseTable } from '../database/tables/releases.js'
import type { Transaction } from '../database/transaction.js'
import type { Paging } from '../http/page.js'
import { listRows, type Rows } from '../http/paging/list-rows.js'

export type ReleaseRow = Selectable<ReleaseTable>
export type LinkRow = Selectable<ReleaseLinkTable>

interface ReleaseOrder {
  order_by?: 'released_at' | 'created_at'
  sort?: 'asc' | 'desc'
}

/** Lists releases; the latest first by default. */
export async function listReleases(
  database: Database,
  projectId: number,
  { order_by = 'released_at', sort = 'desc' }: ReleaseOrder,
  paging: Paging,
): Promise<Rows<ReleaseRow>> {
  const releases = database.selectFrom('release').where('project_id', '=', projectId)
  return listRows(database, releases, paging, { table: 'release', column: order_by, direction: sort })
}

export function findRelease(
  database: Database,
  projectId: number,
  tag: string,
): Promise<ReleaseRow | undefined> {
  return database
    .selectFrom('release')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .executeTakeFirst()
}

/** The release with the latest release time that is not in the future. */
export function findLatestRelease(
  database: Database,
  projectId: number,
  now: number,
): Promise<ReleaseRow | undefined> {
  return database
    .selectFrom('release')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('released_at', '<=', now)
    .orderBy('released_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

export function insertRelease(database: Database, values: Insertable<ReleaseTable>): Promise<ReleaseRow> {
  return database.insertInto('release').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateRelease(
  database: Database,
  id: number,
  changes: Updateable<ReleaseTable>,
): Promise<ReleaseRow | undefined> {
  return database
    .updateTable('release')
    .set({ updated_at: Date.now(), ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Locks the release until the transaction ends, and returns it; undefined if it was deleted. */
export function lockRelease(tx: Transaction, id: number): Promise<ReleaseRow | undefined> {
  return tx
    .updateTable('release')
    .set((eb) => ({ tag: eb.ref('tag') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Makes `to` the author of the releases of `from`. */
export async function reassignReleases(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('release').set({ author_id: to }).where('author_id', '=', from).execute()
}

export async function deleteReleasesOfAuthor(tx: Transaction, authorId: number): Promise<void> {
  await tx.deleteFrom('release').where('author_id', '=', authorId).execute()
}

export async function deleteReleaseRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('release').where('id', '=', id).execute()
}

/** Lists links, newest first. */
export async function linksOfReleases(database: Database, releaseIds: number[]): Promise<LinkRow[]> {
  if (releaseIds.length === 0) return []
  return database
    .selectFrom('release_link')
    .selectAll()
    .where('release_id', 'in', releaseIds)
    .orderBy('id', 'desc')
    .execute()
}

export async function insertLinks(
  database: Database,
  links: Insertable<ReleaseLinkTable>[],
): Promise<LinkRow[]> {
  if (links.length === 0) return []
  return database.insertInto('release_link').values(links).returningAll().execute()
}

export function findReleaseLink(
  database: Database,
  releaseId: number,
  id: number,
): Promise<LinkRow | undefined> {
  return database
    .selectFrom('release_link')
    .selectAll()
    .where('release_id', '=', releaseId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** `path` begins with a slash. */
export function findLinkByPath(
  database: Database,
  releaseId: number,
  path: string,
): Promise<LinkRow | undefined> {
  return database
    .selectFrom('release_link')
    .selectAll()
    .where('release_id', '=', releaseId)
    .where('filepath', '=', path)
    .executeTakeFirst()
}

/** A page of the links of a release, newest first. */
export async function listLinks(
  database: Database,
  releaseId: number,
  paging: Paging,
): Promise<Rows<LinkRow>> {
  const links = database.selectFrom('release_link').where('release_id', '=', releaseId)
  return listRows(database, links, paging, { table: 'release_link', column: 'id', direction: 'desc' })
}

export function updateLink(
  database: Database,
  id: number,
  changes: Updateable<ReleaseLinkTable>,
): Promise<LinkRow | undefined> {
  return database
    .updateTable('release_link')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteLinkRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('release_link').where('id', '=', id).execute()
}

/** Undefined if the tag has a release. */
export function insertReleaseOfTag(
  database: Database,
  values: { projectId: number; authorId: number; tag: string; sha: string; description: string },
): Promise<ReleaseRow | undefined> {
  const now = Date.now()
  return database
    .insertInto('release')
    .values({
      project_id: values.projectId,
      author_id: values.authorId,
      tag: values.tag,
      sha: values.sha,
      name: values.tag,
      description: values.description,
      created_at: now,
      updated_at: now,
      released_at: now,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'tag']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if the tag has no release. */
export function updateReleaseOfTag(
  database: Database,
  projectId: number,
  tag: string,
  description: string,
): Promise<ReleaseRow | undefined> {
  return database
    .updateTable('release')
    .set({ description, updated_at: Date.now() })
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the release of a tag and returns it; undefined if there is none. */
export function deleteReleaseOfTag(
  database: Database,
  projectId: number,
  tag: string,
): Promise<ReleaseRow | undefined> {
  return database
    .deleteFrom('release')
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .returningAll()
    .executeTakeFirst()
}

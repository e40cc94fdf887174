import { sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { findAppearanceValues, IMAGE_KINDS } from '../../../database/stores/appearance-store.js'
import { KEY_COLUMNS, type KeyColumn } from './key-columns.js'

/** Keys of the same form, with the number in each that tells which rows may name it. */
type Owned = { key: string; owner: number }[]

/** A way to find the keys of one form that rows name. */
interface Form {
  keys: RegExp
  /** Keys that rows of these owners name; may contain more than the given ones. */
  named(database: Database, owned: Owned): Promise<string[]>
}

const FORMS: readonly Form[] = [
  ...KEY_COLUMNS.map((place) => ({
    keys: place.keys,
    named: (database: Database, owned: Owned) => namedInColumn(database, place, owned),
  })),
  { keys: /^projects\/(\d+)\/uploads\/[^/]+$/, named: namedUploads },
  { keys: /^projects\/(\d+)\/lfs\/[^/]+$/, named: namedObjects },
  // Blobs that are being written for a row that exists already.
  { keys: /^traces\/\d+\/(\d+)\/[^/]+$/, named: namedByMoves },
  { keys: /^projects\/(\d+)\/exports\/[^/]+$/, named: namedByRequests },
  { keys: /^appearance\/(1)\/[^/]+$/, named: namedByAppearance },
  // Left by a coordinator that was killed while it checked the bucket at its start.
  { keys: /^storage-check\/()[^/]+$/, named: () => Promise.resolve([]) },
]

/**
 * The keys that no row names, out of at most 500. A key of an unknown form is not among them: another version may have
 * written it.
 */
export async function unnamedKeys(database: Database, keys: readonly string[]): Promise<Set<string>> {
  const unnamed = new Set<string>()
  const named = new Set<string>()
  for (const form of FORMS) {
    const owned = keys.flatMap((key) => {
      const owner = form.keys.exec(key)?.[1]
      return owner === undefined ? [] : [{ key, owner: Number(owner) }]
    })
    if (owned.length === 0) continue
    for (const { key } of owned) unnamed.add(key)
    for (const key of await form.named(database, owned)) named.add(key)
  }
  for (const key of named) unnamed.delete(key)
  return unnamed
}

async function namedInColumn(
  database: Database,
  { table, column, owner }: KeyColumn,
  owned: Owned,
): Promise<string[]> {
  // The types of Kysely require one table.
  const place = sql<
    Record<KeyColumn['owner'], number> & Record<KeyColumn['column'], string>
  >`${sql.table(table)}`
  const rows = await database
    .selectFrom(place.as('place'))
    .select(`${column} as key`)
    .where(owner, 'in', owners(owned))
    .where(
      column,
      'in',
      owned.map(({ key }) => key),
    )
    .execute()
  return rows.map(({ key }) => key)
}

async function namedUploads(database: Database, owned: Owned): Promise<string[]> {
  const rows = await database
    .selectFrom('project_upload')
    .select(['project_id', 'secret'])
    .where('project_id', 'in', owners(owned))
    .where('secret', 'in', owned.map(lastSegment))
    .execute()
  return rows.map(({ project_id, secret }) => `projects/${project_id}/uploads/${secret}`)
}

async function namedObjects(database: Database, owned: Owned): Promise<string[]> {
  const rows = await database
    .selectFrom('lfs_object')
    .select(['project_id', 'oid'])
    .where('project_id', 'in', owners(owned))
    .where('oid', 'in', owned.map(lastSegment))
    .execute()
  return rows.map(({ project_id, oid }) => `projects/${project_id}/lfs/${oid}`)
}

async function namedByMoves(database: Database, owned: Owned): Promise<string[]> {
  const rows = await database
    .selectFrom('stored_log')
    .select('upload_key')
    .where('job_id', 'in', owners(owned))
    .execute()
  return rows.flatMap(({ upload_key: key }) => (key === null ? [] : [key, `${key}-times`]))
}

async function namedByRequests(database: Database, owned: Owned): Promise<string[]> {
  const rows = await database
    .selectFrom('project_export')
    .select(['project_id', 'requested_at', 'stale_key'])
    .where('project_id', 'in', owners(owned))
    .execute()
  return rows.flatMap(({ project_id, requested_at, stale_key }) => [
    ...(requested_at === null ? [] : [`projects/${project_id}/exports/${requested_at}.tar.gz`]),
    ...(stale_key === null ? [] : [stale_key]),
  ])
}

async function namedByAppearance(database: Database): Promise<string[]> {
  const images = Object.values(await findAppearanceValues(database, ...IMAGE_KINDS))
  return images.flatMap((image) => (image ? [image.key] : []))
}

function owners(owned: Owned): number[] {
  return [...new Set(owned.map(({ owner }) => owner))]
}

function lastSegment({ key }: { key: string }): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

import type { Insertable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ReleaseLinkTable } from '../../database/tables/releases.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import {
  deleteLinkRow,
  findReleaseLink,
  insertLinks,
  type LinkRow,
  type ReleaseRow,
  updateLink,
} from '../release-store.js'
import type { EditLink, LinkFields } from './schema.js'

/** Throws 404. */
export async function requireReleaseLink(
  database: Database,
  release: ReleaseRow,
  id: number,
): Promise<LinkRow> {
  const link = await findReleaseLink(database, release.id, id)
  if (!link) throw notFound()
  return link
}

export async function createReleaseLink(
  database: Database,
  release: ReleaseRow,
  fields: LinkFields,
): Promise<LinkRow> {
  const [link] = await unlessTaken(fields, () => insertLinks(database, [newLink(release.id, fields)]))
  if (!link) throw notFound()
  return link
}

export async function editLink(database: Database, release: ReleaseRow, params: EditLink): Promise<LinkRow> {
  const { name, url, link_type } = params
  const link = await requireReleaseLink(database, release, params.link_id)
  if (url !== undefined) checkUrl(url)
  const filepath = pathOf(params)
  const changed = await unlessTaken(params, () =>
    updateLink(database, link.id, {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(link_type !== undefined && { link_type }),
      ...(filepath !== undefined && { filepath }),
    }),
  )
  if (!changed) throw notFound()
  return changed
}

/** Deletes the link and returns it. */
export async function deleteReleaseLink(
  database: Database,
  release: ReleaseRow,
  id: number,
): Promise<LinkRow> {
  const link = await requireReleaseLink(database, release, id)
  await deleteLinkRow(database, link.id)
  return link
}

/** Throws 400 for an invalid URL. */
export function newLink(releaseId: number, fields: LinkFields): Insertable<ReleaseLinkTable> {
  const { name, url, link_type = 'other' } = fields
  checkUrl(url)
  return {
    release_id: releaseId,
    name,
    url,
    link_type,
    filepath: pathOf(fields) ?? null,
    created_at: Date.now(),
  }
}

function pathOf(fields: Pick<LinkFields, 'filepath' | 'direct_asset_path'>): string | undefined {
  const path = fields.direct_asset_path ?? fields.filepath
  if (path !== undefined && !/^\/[\w.\-/]*[\w\-/]$/.test(path)) {
    throw invalidRecord({ filepath: ['is in an invalid format'] })
  }
  return path
}

const SCHEMES = new Set(['http:', 'https:', 'ftp:'])

function checkUrl(url: string): void {
  if (URL.canParse(url) && SCHEMES.has(new URL(url).protocol)) return
  throw invalidRecord({ url: ['is blocked: Only allowed schemes are http, https, ftp'] })
}

async function unlessTaken<T>({ url, name }: Partial<LinkFields>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The two databases name the violated constraint in different ways.
    const text = error instanceof Error ? `${error.message} ${constraintOf(error)}` : ''
    const column = ['filepath', 'url', 'name'].find((candidate) => text.includes(candidate))
    throw invalidRecord({
      [column ?? (url === undefined && name ? 'name' : 'url')]: ['has already been taken'],
    })
  }
}

function constraintOf(error: Error): string {
  return 'constraint' in error ? String(error.constraint) : ''
}

import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

import Sqlite from 'better-sqlite3'
import pg from 'pg'

import type { DatabaseSettings } from '../../../src/coordinator/database/connect.js'
import { unpackArchive } from './project-archive.js'

const FOLDER = new URL('../database/releases/', import.meta.url)

/** Versions of releases whose schema is kept, in order (scripts/release/save-schema.mjs). */
export const RELEASES: readonly string[] = readdirSync(FOLDER)
  .map((name) => name.replace('.tar.gz', ''))
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))

/** The one that coordinators are upgraded from. */
export function latestRelease(): string {
  const release = RELEASES.at(-1)
  if (release === undefined) throw new Error(`${FOLDER.pathname} has no schema of a release`)
  return release
}

/** Creates the schema of a release in an empty database, without rows but those of its migrations. */
export async function createReleaseSchema(settings: DatabaseSettings, version: string): Promise<void> {
  const files = await unpackArchive(await readFile(new URL(`${version}.tar.gz`, FOLDER)))
  const statements = files.get(`${settings.dialect}.sql`)?.toString()
  if (statements === undefined) throw new Error(`The schema of ${version} has no ${settings.dialect}.sql`)
  if (settings.dialect === 'sqlite') {
    const database = new Sqlite(settings.file)
    database.pragma('journal_mode = wal')
    database.exec(`begin; ${statements} commit`)
    database.close()
  } else {
    const client = new pg.Client(settings.url)
    await client.connect()
    await client.query(statements)
    await client.end()
  }
}

import { randomUUID } from 'node:crypto'
import { dirname, posix } from 'node:path'

import { sql } from 'kysely'

import { INSTANCE_REGISTRATION_TOKEN } from '../ci/runners/registration-tokens.js'
import { replaceBlobOfSecureFile } from '../ci/secure-files/store.js'
import type { BlobStore } from '../ci/storage/blob-store.js'
import type { SecretBox } from '../crypto/secret-box.js'
import { SIGNING_KEY } from '../crypto/token-signer.js'
import type { Database, DialectName } from '../database/connect.js'
import { inTransaction } from '../database/transaction.js'

export interface ResealDeps {
  database: Database
  dialect: DialectName
  blobs: BlobStore
  secrets: SecretBox
}

export interface ResealResult {
  /** Secrets that were sealed with the current key. */
  resealed: number
  /** `table.column` of secrets that no key can decrypt; they are not changed. */
  unreadable: string[]
}

/** Rows of one transaction. */
const BATCH = 200

/**
 * Re-encrypts everything that was encrypted with an older key, using the current key. Each secret is replaced
 * in one statement, and only if it is unchanged since it was read. The operation can be interrupted and
 * repeated, and coordinators may run at the same time.
 */
export async function resealSecrets(deps: ResealDeps): Promise<ResealResult> {
  const result: ResealResult = { resealed: 0, unreadable: [] }
  for (const column of await sealedColumns(deps.database)) await resealColumn(deps, column, result)
  await resealSecureFiles(deps, result)
  return result
}

interface SealedColumn {
  table: string
  column: string
  /** Only rows with one of these keys contain a secret. */
  keys?: readonly string[]
}

/** Found by their names, so that tables that are added later are included. */
async function sealedColumns(database: Database): Promise<SealedColumn[]> {
  const tables = await database.introspection.getTables()
  const named = tables.flatMap(({ name: table, columns }) =>
    columns.filter(({ name }) => name.endsWith('_encrypted')).map(({ name: column }) => ({ table, column })),
  )
  const keys = [INSTANCE_REGISTRATION_TOKEN, SIGNING_KEY]
  return [...named, { table: 'instance_setting', column: 'value', keys }]
}

interface SealedRow {
  /** The row identifier: `rowid`, or `ctid` as a text. */
  place: number | string
  value: string
}

async function resealColumn(deps: ResealDeps, column: SealedColumn, result: ResealResult): Promise<void> {
  let after: SealedRow['place'] | undefined
  for (;;) {
    const rows = await oldRows(deps, column, after)
    await inTransaction(deps.database, async (tx) => {
      for (const row of rows) await resealRow({ ...deps, database: tx }, column, row, result)
    })
    after = rows.at(-1)?.place
    if (rows.length < BATCH) return
  }
}

async function oldRows(
  { database, dialect, secrets }: ResealDeps,
  { table, column, keys }: SealedColumn,
  after: SealedRow['place'] | undefined,
): Promise<SealedRow[]> {
  const value = sql.ref(column)
  const { place, shown, given } = placeIn(dialect)
  const { rows } = await sql<SealedRow>`
    select ${shown} as place, ${value} as value from ${sql.table(table)}
    where ${value} is not null and ${value} not like ${`${secrets.prefix}%`}
    ${keys ? sql`and ${sql.ref('key')} in (${sql.join(keys)})` : sql``}
    ${after === undefined ? sql`` : sql`and ${place} > ${given(after)}`}
    order by ${place} limit ${BATCH}`.execute(database)
  return rows
}

async function resealRow(
  { database, dialect, secrets }: Pick<ResealDeps, 'database' | 'dialect' | 'secrets'>,
  { table, column }: SealedColumn,
  { place, value }: SealedRow,
  result: ResealResult,
): Promise<void> {
  const text = readable(secrets, value)
  if (text === undefined) {
    result.unreadable.push(`${table}.${column}`)
    return
  }
  const row = placeIn(dialect)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${secrets.encrypt(text)}
    where ${row.place} = ${row.given(place)} and ${sql.ref(column)} = ${value}`.execute(database)
  result.resealed += Number(numAffectedRows ?? 0)
}

/** Undefined for a value that was modified or whose key is missing. */
function readable(secrets: SecretBox, value: string): string | undefined {
  try {
    return secrets.decrypt(value)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Some tables have no `id`. An update in PostgreSQL moves the row; comparing the value detects this. */
function placeIn(dialect: DialectName) {
  if (dialect === 'sqlite') {
    const place = sql.ref('rowid')
    return { place, shown: place, given: (value: number | string) => sql`${value}` }
  }
  const place = sql.ref('ctid')
  return { place, shown: sql`${place}::text`, given: (value: number | string) => sql`${value}::tid` }
}

/**
 * File contents are encrypted too: each is written again, and the old blob is deleted after the new one is
 * recorded.
 */
async function resealSecureFiles(
  { database, blobs, secrets }: ResealDeps,
  result: ResealResult,
): Promise<void> {
  const files = await database
    .selectFrom('secure_file')
    .select(['id', 'blob_key', 'seal'])
    .where('seal', 'not like', `${secrets.prefix}%`)
    .orderBy('id')
    .execute()
  for (const file of files) {
    const { blob_key, seal } = file
    const newKey = posix.join(dirname(blob_key), randomUUID())
    const sealing = secrets.sealing(secrets.opened(await blobs.read(blob_key), seal))
    await blobs.write(newKey, sealing.body)
    const changes = { blob_key: newKey, seal: sealing.seal() }
    const isReplaced = await replaceBlobOfSecureFile(database, file, changes)
    await blobs.delete(isReplaced ? blob_key : newKey)
    if (isReplaced) result.resealed += 1
  }
}

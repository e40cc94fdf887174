import { sql } from 'kysely'

import type { Database } from '../connect.js'
import { preparedRead } from '../prepared-read.js'
import type { Placeholder } from '../prepared-statement.js'

export async function findSetting(database: Database, key: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('instance_setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

/** Throws when there is no such setting. */
export async function existingSetting(database: Database, key: string): Promise<string> {
  const value = await findSetting(database, key)
  if (value === undefined) throw new Error(`The setting ${key} is missing`)
  return value
}

const settingsByKeys = preparedRead((database, { keys }: { keys: Placeholder<string>[] }) =>
  database.selectFrom('instance_setting').selectAll().where('key', 'in', keys),
)

/** Values by key. */
export async function findSettings(
  database: Database,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await settingsByKeys(database, { keys })
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** Keeps a value that another coordinator has stored before. */
export async function insertSetting(database: Database, key: string, value: string): Promise<void> {
  await database
    .insertInto('instance_setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

export async function setSetting(database: Database, key: string, value: string): Promise<void> {
  await database
    .insertInto('instance_setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Stores a whole number, unless the stored one is as high already: then it returns false. */
export async function raiseSetting(database: Database, key: string, value: number): Promise<boolean> {
  const rows = await database
    .insertInto('instance_setting')
    .values({ key, value: String(value) })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ value: String(value) })
        .where(sql<boolean>`cast(instance_setting.value as bigint) < ${value}`),
    )
    .returning('key')
    .execute()
  return rows.length > 0
}

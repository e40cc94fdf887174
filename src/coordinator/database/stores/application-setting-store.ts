import type { Insertable } from 'kysely'

import type { Database } from '../connect.js'
import { textKeyedRead } from '../keyed-read.js'
import {
  type ApplicationSettingTable,
  EFFECTIVE_DEFAULTS,
  type EffectiveSettings,
} from '../tables/application-settings.js'
import type { Transaction } from '../transaction.js'

/** For a secret, only whether it has a value. */
export type StoredSetting = { updated_at: number } & (
  | { isSecret: true }
  | { isSecret: false; value: unknown }
)

/** The settings that were changed, by name: all of them, or those of `names`. */
export async function readStoredSettings(
  database: Database,
  names?: (keyof EffectiveSettings)[],
): Promise<Map<string, StoredSetting>> {
  let settings = database.selectFrom('application_setting').selectAll()
  if (names) settings = settings.where('name', 'in', names)
  const rows = await settings.execute()
  return new Map(rows.map(({ name, value, updated_at }) => [name, { ...valueOf(value), updated_at }]))
}

function valueOf(value: string | null) {
  return value === null
    ? ({ isSecret: true } as const)
    : ({ isSecret: false, value: JSON.parse(value) as unknown } as const)
}

export async function storeSettings(
  tx: Transaction,
  settings: readonly Insertable<ApplicationSettingTable>[],
): Promise<void> {
  for (const { name, ...values } of settings) {
    await tx
      .insertInto('application_setting')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute()
  }
}

/** Some settings as they are now, on every coordinator of the store. */
export async function effectiveSettings<Name extends keyof EffectiveSettings>(
  database: Database,
  ...names: Name[]
): Promise<Pick<EffectiveSettings, Name>> {
  const changed = await changedSettings(database, ...names)
  return Object.fromEntries(names.map((name) => [name, changed[name] ?? EFFECTIVE_DEFAULTS[name]])) as Pick<
    EffectiveSettings,
    Name
  >
}

const settingByName = textKeyedRead('name', (database) =>
  database.selectFrom('application_setting').select(['name', 'value']),
)

/** Those of the settings that administrators have changed. */
export async function changedSettings<Name extends keyof EffectiveSettings>(
  database: Database,
  ...names: Name[]
): Promise<Partial<Pick<EffectiveSettings, Name>>> {
  const rows = await Promise.all(names.map((name) => settingByName(database, name)))
  const values = rows.map(
    (row, index) => [names[index], JSON.parse(row?.value ?? 'null') as unknown] as const,
  )
  return Object.fromEntries(values.filter(([, value]) => value !== null)) as Partial<
    Pick<EffectiveSettings, Name>
  >
}

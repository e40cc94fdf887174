import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import {
  readStoredSettings,
  type StoredSetting,
  storeSettings,
} from '../../database/stores/application-setting-store.js'
import type { FixedSettings } from '../../database/tables/application-settings.js'
import { inTransaction } from '../../database/transaction.js'
import { invalidParameters, invalidRecord } from '../../http/errors.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { Attribute } from './attribute.js'
import { ATTRIBUTES, canonicalName } from './catalog.js'

export interface SettingsDeps {
  database: Database
  secrets: SecretBox
  /** Settings that the configuration gives. */
  fixed: FixedSettings
  /** Called when settings have changed. */
  onChanged: () => Promise<void>
}

type Values = Record<string, unknown>

/** Stands for a secret in responses. A client that sends it back changes nothing. */
const HIDDEN = '[HIDDEN]'

/** The settings with all names, as responses show them. */
export async function currentSettings({
  database,
  fixed,
}: Pick<SettingsDeps, 'database' | 'fixed'>): Promise<Values> {
  const stored = await readStoredSettings(database)
  const startedAt = await timeOfFirstUser(database)
  const changedAt = [...stored.values()].map(({ updated_at }) => updated_at)
  const updatedAt = Math.max(startedAt, ...changedAt)
  return { id: 1, created_at: isoTime(startedAt), updated_at: isoTime(updatedAt), ...shown(stored, fixed) }
}

/** Time of the first start, in milliseconds since 1970. */
async function timeOfFirstUser(database: Database): Promise<number> {
  const users = database.selectFrom('user').select('created_at')
  return (await users.orderBy('id').limit(1).executeTakeFirst())?.created_at ?? 0
}

/**
 * Stores settings. Throws 400 if one that is switched on lacks what it requires, for a value that no other check has
 * refused, and for another value of a setting that the configuration gives.
 */
export async function changeSettings(
  { database, secrets, fixed, onChanged }: SettingsDeps,
  params: Values,
): Promise<Values> {
  const given = wantedChanges(params)
  checkValues(given)
  const wanted = given.filter((change) => !isFixed(fixed, change))
  const changed = await inTransaction(database, async (tx) => {
    const before = await readStoredSettings(tx)
    checkRequirements(wanted, before)
    // Clients send all settings back as they were: what stays has not been changed now.
    const changed = wanted.filter((change) => isChange(change, before))
    const changes = [...changed, ...secretsSentElsewhere(changed, before)]
    await storeSettings(
      tx,
      changes.map((change) => sealed(secrets, change)),
    )
    return currentSettings({ database: tx, fixed })
  })
  await onChanged()
  return changed
}

type Change = [name: string, attribute: Attribute, value: unknown]

/** By the canonical names; the name of the request that is canonical takes precedence over an alias. */
function wantedChanges(params: Values): Change[] {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== HIDDEN)
  const byName = new Map<string, unknown>()
  for (const [name, value] of given) {
    const canonical = canonicalName(name)
    if (name === canonical || !byName.has(canonical)) byName.set(canonical, value)
  }
  return [...byName].flatMap(([name, value]) => {
    const attribute = ATTRIBUTES[name]
    return attribute ? [[name, attribute, value] satisfies Change] : []
  })
}

function checkValues(changes: readonly Change[]): void {
  for (const [name, { check }, value] of changes) {
    const problem = check?.(value)
    if (problem !== undefined) throw invalidRecord({ [name]: [problem] })
  }
}

/** Clients send all settings back as they were. Throws 400 for another value. */
function isFixed(fixed: FixedSettings, [name, , value]: Change): boolean {
  const known = fixed[name]
  if (known && JSON.stringify(known.value) !== JSON.stringify(value))
    throw invalidRecord({ [name]: [`is set by ${known.key} in the configuration of the coordinator`] })
  return known !== undefined
}

function isChange([name, , value]: Change, before: ReadonlyMap<string, StoredSetting>): boolean {
  const stored = before.get(name)
  return !stored || stored.isSecret || JSON.stringify(stored.value) !== JSON.stringify(value)
}

/** Deletes the stored secrets whose address changes, unless they are set too. */
function secretsSentElsewhere(
  changes: readonly Change[],
  before: ReadonlyMap<string, StoredSetting>,
): Change[] {
  const names = new Set(changes.map(([name]) => name))
  return Object.entries(ATTRIBUTES)
    .filter(([name, { sentTo }]) => sentTo !== undefined && names.has(sentTo) && !names.has(name))
    .filter(([name]) => before.has(name))
    .map(([name, attribute]) => [name, attribute, null])
}

function checkRequirements(changes: readonly Change[], before: ReadonlyMap<string, StoredSetting>): void {
  const wanted = new Map(changes.map(([name, , value]) => [name, value]))
  for (const [, { requires = [] }, value] of changes) {
    if (!isSet(value) || value === false) continue
    const missing = requires.find((name) => {
      if (wanted.has(name)) return !isSet(wanted.get(name))
      const stored = before.get(name)
      if (stored) return !stored.isSecret && !isSet(stored.value)
      return !isSet(ATTRIBUTES[name]?.fallback)
    })
    if (missing !== undefined) throw invalidParameters(`${missing} is missing`)
  }
}

function isSet(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  )
}

function sealed(secrets: SecretBox, [name, { isSecret }, value]: Change) {
  const updated_at = Date.now()
  if (!isSecret || !isSet(value))
    return { name, value: JSON.stringify(value), value_encrypted: null, updated_at }
  return { name, value: null, value_encrypted: secrets.encrypt(String(value)), updated_at }
}

function shown(stored: ReadonlyMap<string, StoredSetting>, fixed: FixedSettings): Values {
  return Object.fromEntries(
    Object.entries(ATTRIBUTES).flatMap(([name, { aliases = [], fallback, show }]) => {
      const setting = stored.get(name)
      const known = setting?.isSecret ? HIDDEN : setting ? setting.value : fallback
      const plain = fixed[name] ? fixed[name].value : known
      const value = show && isSet(plain) ? show(plain) : plain
      return [name, ...aliases].map((one) => [one, value])
    }),
  )
}

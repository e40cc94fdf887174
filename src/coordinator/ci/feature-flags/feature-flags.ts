import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import type { StrategyName } from '../../database/tables/feature-flags.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { checkRoom } from '../../http/check-room.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import type { EditFeatureFlag, GivenStrategy, NewFeatureFlag } from './schema.js'
import {
  deleteStrategy,
  findFlag,
  findUserList,
  type FlagRow,
  flagsOf,
  insertFlag,
  insertStrategy,
  strategiesOf,
  type StrategyRow,
  updateFlag,
  updateStrategy,
} from './store.js'

/** Per project. */
const MAX_FLAGS = 200
/** Strategies of one flag, and scopes of one strategy. */
const MAX_PARTS = 100

/** Throws 404. */
export async function requireFlag(database: Database, { id }: Project, name: string): Promise<FlagRow> {
  const row = await findFlag(database, id, name)
  if (!row) throw notFound('Feature Flag')
  return row
}

/** Throws 400 for a name that is taken, for strategies that do not fit, and for too many flags. */
export async function createFlag(
  database: Database,
  project: Project,
  { name, description = null, active = true, strategies = [] }: NewFeatureFlag,
): Promise<FlagRow> {
  await checkRoom(flagsOf(database, project.id), { most: MAX_FLAGS, what: 'feature flags' })
  const now = Date.now()
  const times = { created_at: now, updated_at: now }
  return refusingTaken(() =>
    inTransaction(database, async (tx) => {
      const row = await insertFlag(tx, { project_id: project.id, name, description, active, ...times })
      await changeStrategies(tx, project, row, strategies)
      return row
    }),
  )
}

/** Throws as `createFlag`, and 404. `onSwitched` is called in the transaction of a change that turns the flag on or off. */
export async function editFlag(
  database: Database,
  project: Project,
  onSwitched: (tx: Transaction, flag: FlagRow) => Promise<void>,
  { feature_flag_name, strategies = [], ...changes }: EditFeatureFlag,
): Promise<FlagRow> {
  const { id } = await requireFlag(database, project, feature_flag_name)
  return refusingTaken(() =>
    inTransaction(database, async (tx) => {
      const before = await lockRow(tx, 'feature_flag', id)
      if (!before) throw notFound('Feature Flag')
      const row = await updateFlag(tx, id, { ...changes, updated_at: Date.now() })
      await changeStrategies(tx, project, row, strategies)
      if (row.active !== before.active) await onSwitched(tx, row)
      return row
    }),
  )
}

async function refusingTaken(change: () => Promise<FlagRow>): Promise<FlagRow> {
  try {
    return await change()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid('Name has already been taken')
    throw error
  }
}

function invalid(reason: string): ApiError {
  return apiError('feature_flag_invalid', { reason })
}

async function changeStrategies(
  tx: Transaction,
  project: Project,
  flag: FlagRow,
  given: readonly GivenStrategy[],
): Promise<void> {
  const known = new Map(((await strategiesOf(tx, [flag.id])).get(flag.id) ?? []).map((row) => [row.id, row]))
  let count = known.size
  for (const strategy of given) {
    const before = strategy.id === undefined ? undefined : known.get(strategy.id)
    if (strategy.id !== undefined && !before) throw notFound('Strategy')
    if (strategy._destroy) {
      if (before) await deleteStrategy(tx, before.id)
      if (before && known.delete(before.id)) count--
      continue
    }
    if (!before && ++count > MAX_PARTS) throw invalid(`Strategies are too many (maximum is ${MAX_PARTS})`)
    const values = await valuesOf(tx, project, before, strategy)
    if (before) await updateStrategy(tx, before.id, values)
    else await insertStrategy(tx, { ...values, feature_flag_id: flag.id })
  }
}

async function valuesOf(
  tx: Transaction,
  project: Project,
  before: StrategyRow | undefined,
  given: GivenStrategy,
) {
  const name = given.name ?? before?.name
  if (name === undefined) throw invalid('Strategies name is invalid')
  const parameters = given.parameters ? stringifyValues(given.parameters) : (before?.parameters ?? {})
  if (!fits(name, parameters)) throw invalid('Strategies parameters are invalid')
  return {
    name,
    parameters: JSON.stringify(parameters),
    scopes: JSON.stringify(scopesOf(before?.scopes ?? [], given.scopes)),
    user_list_id: await listOf(tx, project, name, given.user_list_id ?? before?.user_list_id),
  }
}

function stringifyValues(parameters: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}

type Scopes = StrategyRow['scopes']

function scopesOf(before: Scopes, given: GivenStrategy['scopes'] = []): Scopes {
  const scopes = new Map(before.map((scope) => [scope.id, scope.environment_scope]))
  for (const { id, environment_scope = '*', _destroy = false } of given) {
    if (id !== undefined && !scopes.has(id)) throw notFound('Scope')
    if (_destroy) {
      if (id !== undefined) scopes.delete(id)
    } else scopes.set(id ?? Math.max(0, ...scopes.keys()) + 1, environment_scope)
    if (scopes.size > MAX_PARTS) throw invalid(`Scopes are too many (maximum is ${MAX_PARTS})`)
  }
  if (new Set(scopes.values()).size !== scopes.size) throw invalid('Strategies scopes must be unique')
  return [...scopes].map(([id, environment_scope]) => ({ id, environment_scope }))
}

async function listOf(
  tx: Transaction,
  project: Project,
  name: StrategyName,
  id: number | null | undefined,
): Promise<number | null> {
  if (name !== 'gitlabUserList') return null
  const list = id === null || id === undefined ? undefined : await findUserList(tx, project.id, { id })
  if (!list) throw invalid("Strategies user list can't be blank")
  return list.id
}

const PERCENTAGE = /^(?:100|[1-9]?\d)$/
const GROUP = /^[a-z]{1,32}$/
const USERS = /^[^,\s][^,]{0,255}(?:,[^,]{1,256})*$/

/** The parameters that each kind has, all of them. */
const PARAMETERS: Record<StrategyName, Record<string, RegExp>> = {
  default: {},
  gitlabUserList: {},
  gradualRolloutUserId: { groupId: GROUP, percentage: PERCENTAGE },
  userWithId: { userIds: USERS },
  flexibleRollout: {
    groupId: GROUP,
    rollout: PERCENTAGE,
    stickiness: /^(?:default|userId|sessionId|random)$/i,
  },
}

function fits(name: StrategyName, parameters: Record<string, string>): boolean {
  const wanted = Object.entries(PARAMETERS[name])
  return (
    Object.keys(parameters).length === wanted.length &&
    wanted.every(([key, pattern]) => pattern.test(parameters[key] ?? ''))
  )
}

import { isInScope } from '../../../ci-config/variables/environment-scope.js'
import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { FeatureFlag, UnleashFeatures, UserList } from './schema.js'
import { type FlagRow, strategiesOf, type UserListRow, userListsById } from './store.js'

/** Records in the order of the rows; the number of queries does not depend on their number. */
export async function presentFlags(database: Database, rows: readonly FlagRow[]): Promise<FeatureFlag[]> {
  const { strategies, lists } = await withStrategies(database, rows)
  return rows.map((row) => ({
    name: row.name,
    description: row.description,
    active: row.active,
    version: 'new_version_flag',
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    scopes: [],
    strategies: (strategies.get(row.id) ?? []).map(({ id, name, parameters, scopes, user_list_id }) => {
      const list = lists.get(user_list_id ?? 0)
      return { id, name, parameters, scopes, user_list: list ? briefOf(list) : null }
    }),
  }))
}

function briefOf({ id, iid, name, user_xids }: UserListRow) {
  return { id, iid, name, user_xids }
}

async function withStrategies(database: Database, rows: readonly FlagRow[]) {
  const strategies = await strategiesOf(
    database,
    rows.map(({ id }) => id),
  )
  const listIds = [...strategies.values()].flat().flatMap(({ user_list_id }) => user_list_id ?? [])
  return { strategies, lists: await userListsById(database, [...new Set(listIds)]) }
}

/** The flags with a strategy for an environment, as Unleash clients read them. */
export async function presentForUnleash(
  database: Database,
  rows: readonly FlagRow[],
  environment: string | undefined,
): Promise<UnleashFeatures> {
  const { strategies, lists } = await withStrategies(database, rows)
  const features = rows.flatMap(({ id, name, description, active }) => {
    const counting = (strategies.get(id) ?? []).filter(({ scopes }) =>
      scopes.some(({ environment_scope }) => isInScope(environment_scope, environment)),
    )
    if (counting.length === 0) return []
    const shown = counting.map((strategy) =>
      strategy.name === 'gitlabUserList'
        ? {
            name: 'userWithId',
            parameters: { userIds: lists.get(strategy.user_list_id ?? 0)?.user_xids ?? '' },
          }
        : { name: strategy.name, parameters: strategy.parameters },
    )
    return [{ name, ...(description !== null && { description }), enabled: active, strategies: shown }]
  })
  return { version: 1, features }
}

export function presentUserList(row: UserListRow): UserList {
  const { id, iid, project_id, name, user_xids, created_at, updated_at } = row
  return {
    id,
    iid,
    project_id,
    name,
    user_xids,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }
}

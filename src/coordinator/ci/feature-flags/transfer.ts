import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { optional } from '../../http/parameters/described.js'
import { createFlag } from './feature-flags.js'
import { presentFlags } from './present.js'
import { type GivenStrategy, NewFeatureFlag, NewStrategy, NewUserList } from './schema.js'
import { findUserList, flagsOf, userListsOf } from './store.js'
import { createUserList } from './user-lists.js'

/** Lists of users for feature flags. */
export function userListPart(database: Database): TransferPart {
  return transferPart({
    name: 'feature_flag_user_lists',
    schema: NewUserList,
    read: async function* ({ id }) {
      const rows = inPages(userListsOf(database, id).selectAll(), 'feature_flag_user_list')
      for await (const { name, user_xids } of rows) yield { name, user_xids }
    },
    identityOf: ({ name }) => name,
    write: ({ project }, list) => createUserList(database, project, list),
  })
}

const { name, parameters, scopes } = NewStrategy.properties
const TransferredStrategy = Type.Object({
  name,
  parameters,
  scopes,
  user_list: optional(Type.String(), 'Name of the list of users.'),
})
const Transferred = Type.Object({
  name: NewFeatureFlag.properties.name,
  description: NewFeatureFlag.properties.description,
  active: NewFeatureFlag.properties.active,
  strategies: Type.Array(TransferredStrategy, { maxItems: 100 }),
})

/**
 * Feature flags, after the lists of users that they name. The token of applications is a secret, and not exported: the
 * new project gets its own.
 */
export function featureFlagPart(database: Database): TransferPart {
  return transferPart({
    name: 'feature_flags',
    schema: Transferred,
    read: async function* ({ id }) {
      for await (const row of inPages(flagsOf(database, id).selectAll(), 'feature_flag')) {
        for (const { name, description, active, strategies } of await presentFlags(database, [row]))
          yield { name, description, active, strategies: strategies.map(withoutIds) }
      }
    },
    identityOf: ({ name }) => name,
    write: async ({ project }, { strategies, ...flag }) => {
      const given: GivenStrategy[] = []
      for (const { user_list, ...strategy } of strategies)
        given.push({ ...strategy, ...(await namedList(database, project, user_list)) })
      return createFlag(database, project, { ...flag, strategies: given })
    },
  })
}

type Shown = Awaited<ReturnType<typeof presentFlags>>[number]['strategies'][number]

function withoutIds({ name, parameters, scopes, user_list }: Shown) {
  return {
    name,
    parameters,
    scopes: scopes.map(({ environment_scope }) => ({ environment_scope })),
    ...(user_list && { user_list: user_list.name }),
  }
}

/** Empty for a list that the project does not have; the strategy is refused then. */
async function namedList(
  database: Database,
  project: Project,
  name: string | undefined,
): Promise<Pick<GivenStrategy, 'user_list_id'>> {
  const list = name === undefined ? undefined : await findUserList(database, project.id, { name })
  return list ? { user_list_id: list.id } : {}
}

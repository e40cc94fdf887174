import { ExplainNode, type KyselyPlugin, SelectQueryNode, sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Database } from '../../../../src/coordinator/database/connect.js'
import { inTransaction, type Transaction } from '../../../../src/coordinator/database/transaction.js'
import {
  hooksOfGroups,
  hooksOfProject,
  systemHooks,
} from '../../../../src/coordinator/integrations/webhooks/hook-store.js'
import { openSqlite } from '../../../support/databases.js'

/** Turns queries into questions for their plans. */
const EXPLAIN: KyselyPlugin = {
  transformQuery: ({ node }) =>
    SelectQueryNode.is(node)
      ? { ...node, explain: ExplainNode.create(undefined, sql`query plan`.toOperationNode()) }
      : node,
  transformResult: ({ result }) => Promise.resolve(result),
}

/** The indexes by which SQLite reads the hooks. */
async function indexesOf(
  database: Database,
  find: (tx: Transaction) => Promise<unknown[]>,
): Promise<(string | undefined)[]> {
  const steps = await inTransaction(database, async (tx) => find(tx.withPlugin(EXPLAIN)))
  return (steps as { detail: string }[])
    .filter(({ detail }) => /\bweb_hook\b/.test(detail))
    .map(({ detail }) => / INDEX (\w+)/.exec(detail)?.[1])
}

test('the hooks for an event are found without reading those of other owners', async () => {
  const { database } = await openSqlite()
  expect(await indexesOf(database, (tx) => systemHooks(tx))).toEqual(['web_hook_of_instance'])
  expect(await indexesOf(database, (tx) => hooksOfProject(tx, 1))).toEqual([
    'web_hook_by_project_id',
    'web_hook_by_group_id',
  ])
  expect(await indexesOf(database, (tx) => hooksOfGroups(tx, [1, 2]))).toEqual(['web_hook_by_group_id'])
})

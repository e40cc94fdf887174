import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * Parts of `info` from runners that earlier versions dropped, modification times of runners and groups, and
 * an index of projects by name.
 */
export async function up({ schema }: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnKinds(dialect)
  await schema.alterTable('runner').addColumn('name', 'text').execute()
  await schema.alterTable('runner').addColumn('updated_at', 'bigint').execute()
  await schema.alterTable('namespace').addColumn('updated_at', 'bigint').execute()
  await schema.createIndex('project_list_by_name').on('project').columns(['name', 'id']).execute()
  await schema.alterTable('runner_manager').addColumn('name', 'text').execute()
  await schema.alterTable('runner_manager').addColumn('shell', 'text').execute()
  for (const column of ['config', 'labels']) {
    await schema
      .alterTable('runner_manager')
      .addColumn(column, json, (c) => c.notNull().defaultTo('{}'))
      .execute()
  }
}

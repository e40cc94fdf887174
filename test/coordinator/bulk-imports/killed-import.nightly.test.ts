import { expect, test } from 'vitest'

import { importEntities } from '../../../src/coordinator/bulk-imports/import-entities.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { withSqliteStatements } from '../support/statement-hooks.js'
import { openDestination, requestFor } from './support/import-scene.js'
import { recorded, startRecordedSource, TOKEN } from './support/recorded-source.js'

/** What an import has created, without IDs. */
async function contentOf(database: Database, importId: number) {
  const entities = await database
    .selectFrom('bulk_import_entity')
    .select(['source_full_path', 'status', 'error', 'group_id', 'project_id'])
    .where('bulk_import_id', '=', importId)
    .orderBy('id')
    .execute()
  const [group] = entities.flatMap(({ group_id }) => group_id ?? [])
  const [project = 0] = entities.flatMap(({ project_id }) => project_id ?? [])
  const count = async (table: 'issue' | 'merge_request' | 'note' | 'pipeline_schedule') =>
    (await database.selectFrom(table).select('id').where('project_id', '=', project).execute()).length
  const ofGroup = async (table: 'label' | 'milestone' | 'member') =>
    (
      await database
        .selectFrom(table)
        .select('id')
        .where('group_id', '=', group ?? 0)
        .execute()
    ).length
  const items = await database
    .selectFrom('bulk_import_item')
    .innerJoin('bulk_import_entity', 'bulk_import_entity.id', 'bulk_import_item.entity_id')
    .select(['kind', 'source_key', 'name', 'reason'])
    .where('bulk_import_id', '=', importId)
    .where('outcome', 'in', ['imported', 'present'])
    .orderBy('kind')
    .orderBy('source_key')
    .execute()
  return {
    entities: entities.map(({ source_full_path, status, error }) => ({ source_full_path, status, error })),
    issues: await count('issue'),
    mergeRequests: await count('merge_request'),
    notes: await count('note'),
    labels: await ofGroup('label'),
    milestones: await ofGroup('milestone'),
    members: await ofGroup('member'),
    // The repository of an attempt that was killed is there when the next one begins.
    items: items.filter(({ kind }) => kind !== 'repositories'),
  }
}

test('an import that is killed at any statement is completed by the next attempt, with nothing twice', async () => {
  const responses = recorded()
  // The second attempt knows the ID of the group.
  const { url } = await startRecordedSource({ ...responses, '/groups/40': responses['/groups/acme'] })
  const { deps, start, person, database } = await openDestination()
  await person('jane')
  const begin = (slug: string) => start(url, TOKEN, requestFor(url, TOKEN, { destination_slug: slug }))
  const attempt = (id: number) => importEntities(deps, id, new AbortController().signal)
  const whole = await begin('whole')
  const statements = await withSqliteStatements(
    () => undefined,
    () => attempt(whole.id),
  )
  const expected = await contentOf(database, whole.id)
  expect(expected).toMatchObject({
    issues: 1,
    mergeRequests: 1,
    notes: 2,
    labels: 1,
    milestones: 1,
    members: 2,
  })
  const points = Array.from({ length: Math.ceil(statements / 5) }, (_, index) => 1 + 5 * index)
  for (const at of points) {
    const { id } = await begin(`copy-${at}`)
    const killed = (statement: number, sql: string) => {
      if (statement >= at && sql !== 'rollback') throw new Error('killed')
    }
    await withSqliteStatements(killed, () => attempt(id).catch(() => undefined))
    await attempt(id)
    expect({ at, ...(await contentOf(database, id)) }).toEqual({ at, ...expected })
  }
})

import { expect, test, vi } from 'vitest'

import type { Database } from '../../../src/coordinator/database/connect.js'
import { type DirectReads, directReadsOf } from '../../../src/coordinator/database/direct-reads.js'
import { keyedRead, keyedRowsRead, textKeyedRead } from '../../../src/coordinator/database/keyed-read.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { describeOnEachDatabase } from '../../support/databases.js'

const setById = keyedRead('id', (database) => database.selectFrom('tag_set').selectAll())

const setByKey = textKeyedRead('key', (database) => database.selectFrom('tag_set').selectAll())

const eventsByAuthor = keyedRowsRead('author_id', (database) =>
  database.selectFrom('audit_event').select(['author_id', 'entity_id']).orderBy('entity_id', 'desc'),
)

const sets = [1, 2, 3].map((number) => ({ key: `["${number}"]`, tags: `["${number}"]` }))

function insertSets(database: Database): Promise<{ id: number }[]> {
  return database.insertInto('tag_set').values(sets).returning('id').execute()
}

describeOnEachDatabase('a read by key', (open) => {
  test('gives each of several callers its own row, by one statement on PostgreSQL', async () => {
    const { database, settings } = await open()
    const [first = 0, , last = 0] = (await insertSets(database)).map(({ id }) => id)
    const read = vi.spyOn(directReadsOf(database) as DirectReads, 'read')
    const keys = [last, first, last + 1, last]
    const found = await Promise.all(keys.map((key) => setById(database, key)))
    expect(found.map((row) => row?.id)).toEqual([last, first, undefined, last])
    expect(read).toHaveBeenCalledTimes(settings.dialect === 'postgres' ? 1 : keys.length)
  })

  test('finds rows by a text, whatever its characters are', async () => {
    const { database } = await open()
    const keys = ['{"a, [b]"}', 'é"\\\'', '']
    await database
      .insertInto('tag_set')
      .values(keys.map((key) => ({ key, tags: '[]' })))
      .execute()
    const found = await Promise.all([...keys, 'none'].map((key) => setByKey(database, key)))
    expect(found.map((row) => row?.key)).toEqual([...keys, undefined])
  })

  test('sees what its transaction has written, and nothing of it outside', async () => {
    const { database } = await open()
    const id = await inTransaction(database, async (tx) => {
      const [written] = await insertSets(tx)
      const id = written?.id ?? 0
      expect(await setById(tx, id)).toMatchObject({ id })
      expect(await setById(database, id)).toBeUndefined()
      return id
    })
    expect(await setById(database, id)).toMatchObject({ id })
  })

  test('gives each caller all rows of its key, in the order of the query', async () => {
    const { database } = await open()
    const events = [
      { author_id: 1, entity_id: 10 },
      { author_id: 2, entity_id: 20 },
      { author_id: 1, entity_id: 30 },
    ]
    await database
      .insertInto('audit_event')
      .values(events.map((event) => ({ ...event, entity_type: 'User', details: '{}', created_at: 0 })))
      .execute()
    const found = await Promise.all([2, 1, 3].map((author) => eventsByAuthor(database, author)))
    expect(found.map((rows) => rows.map(({ entity_id }) => entity_id))).toEqual([[20], [30, 10], []])
  })
})

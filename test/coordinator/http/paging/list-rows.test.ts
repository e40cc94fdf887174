import { expect, test } from 'vitest'

import { listRows } from '../../../../src/coordinator/http/paging/list-rows.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { addPerson } from '../../support/test-app.js'

describeOnEachDatabase('a page of rows', (openDatabase) => {
  test('is in the order of the list, with its total length', async () => {
    const { database } = await openDatabase()
    for (const name of ['ann', 'bob', 'cid', 'dan']) await addPerson(database, name)
    const page = async (perPage: number, offset: number) => {
      const { rows, total } = await listRows(
        database,
        database.selectFrom('user').where('username', '!=', 'dan'),
        { ...FIRST_PAGE, perPage, offset },
        { table: 'user', column: 'username', direction: 'desc' },
      )
      return [rows.map(({ username, is_admin }) => (is_admin ? 'admin' : username)), total]
    }
    expect(await page(2, 0)).toEqual([['cid', 'bob'], 3])
    expect(await page(2, 2)).toEqual([['ann'], 3])
    expect(await page(3, 0)).toEqual([['cid', 'bob', 'ann'], 3])
    expect(await page(2, 4)).toEqual([[], 3])
    const keyset = { column: 'id', direction: 'desc', after: { id: 3 } } as const
    const behind = await listRows(
      database,
      database.selectFrom('user'),
      { ...FIRST_PAGE, keyset },
      { table: 'user', column: 'username', direction: 'asc' },
    )
    expect(behind).toMatchObject({ rows: [{ username: 'bob' }, { username: 'ann' }], total: undefined })
  })
})

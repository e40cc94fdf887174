import { Type } from 'typebox'
import { expect, test } from 'vitest'

import type { Database } from '../../../../src/coordinator/database/connect.js'
import { type Operation, operation } from '../../../../src/coordinator/http/operation.js'
import { page } from '../../../../src/coordinator/http/page.js'
import { pageOf } from '../../../../src/coordinator/http/paging/page-of.js'
import { isoTime } from '../../../../src/coordinator/http/presenters/present-time.js'
import { describeOnEachDatabase, openSqlite } from '../../../support/databases.js'
import { addPerson, EXTERNAL_URL, openApp } from '../../support/test-app.js'

const Row = Type.Object({ id: Type.Integer(), name: Type.String(), created_at: Type.String() })

function listing(database: Database): Operation {
  return operation('GET /people', {
    summary: 'List people',
    access: 'anyone',
    params: Type.Object({ search: Type.Optional(Type.String()) }),
    responses: { 200: Type.Array(Row) },
    paginated: true,
    keyset: { of: 'User', orders: ['id', 'name asc', 'created_at'] },
    run: async ({ paging }) => {
      const order = { table: 'user', column: 'id', direction: 'desc' } as const
      const rows = await database
        .selectFrom('user')
        .select(['id', 'name', 'created_at'])
        .$call((query) => pageOf(query, paging, order))
        .execute()
      return page(
        rows.map((row) => ({ ...row, created_at: isoTime(row.created_at) })),
        5,
      )
    },
  })
}

describeOnEachDatabase('Keyset', (openDatabase) => {
  async function open() {
    const { database } = await openDatabase()
    // Two have the same name, three the same time.
    for (const [index, name] of ['ann', 'bob', 'bob', 'cid', 'dan'].entries()) {
      const { id } = await addPerson(database, `${name}${index}`)
      await database
        .updateTable('user')
        .set({ name, created_at: 1_000_000 + (index < 3 ? 0 : index) })
        .where('id', '=', id)
        .execute()
    }
    return openApp(database, [listing(database)])
  }

  async function walk(query: string): Promise<string[]> {
    const { app } = await open()
    const names: string[] = []
    let url: string | undefined = `/api/v4/people?pagination=keyset&search=x&per_page=2&${query}`
    while (url !== undefined) {
      const response = await app.inject(url)
      expect(response.statusCode).toBe(200)
      expect(response.headers['x-page']).toBeUndefined()
      expect(response.headers['x-total']).toBeUndefined()
      names.push(...response.json<{ name: string; id: number }[]>().map(({ name, id }) => `${name}${id}`))
      const link: RegExpExecArray | null = /^<([^>]+)>; rel="next"$/.exec(String(response.headers['link']))
      url = link?.[1]?.replace(EXTERNAL_URL, '')
      if (url) expect(url).toContain('search=x')
    }
    return names
  }

  test.each([
    ['', ['dan5', 'cid4', 'bob3', 'bob2', 'ann1']],
    ['order_by=id&sort=asc', ['ann1', 'bob2', 'bob3', 'cid4', 'dan5']],
    ['order_by=name', ['ann1', 'bob2', 'bob3', 'cid4', 'dan5']],
    ['order_by=created_at&sort=desc', ['dan5', 'cid4', 'bob3', 'bob2', 'ann1']],
    ['order_by=created_at&sort=asc&per_page=1', ['ann1', 'bob2', 'bob3', 'cid4', 'dan5']],
    ['id_before=4', ['bob3', 'bob2', 'ann1']],
  ])('every row comes once, whatever the order: %s', async (query, expected) => {
    expect(await walk(query)).toEqual(expected)
  })
})

const UNAVAILABLE = { error: 'Keyset pagination is not yet available for this type of request' }

test.each([
  ['/people?pagination=keyset&order_by=email', 405, UNAVAILABLE],
  ['/people?pagination=keyset&order_by=name&sort=desc', 405, UNAVAILABLE],
  ['/plain?pagination=keyset', 405, UNAVAILABLE],
  ['/people?pagination=maybe', 400, { error: 'pagination does not have a valid value' }],
  ['/people?pagination=keyset&id_before=x', 400, { error: 'id_before is invalid' }],
  ['/people?pagination=keyset&order_by=name&cursor=x', 400, { error: 'cursor is invalid' }],
  ['/people?pagination=keyset&order_by=name&cursor=e30', 400, { error: 'cursor is invalid' }],
  [
    '/people?page=2502&per_page=20',
    405,
    {
      error:
        'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type User. ' +
        'Remaining records can be retrieved using keyset pagination.',
    },
  ],
  ['/people?page=2501&per_page=20', 200, []],
  ['/plain?page=99999', 200, []],
])('%s returns %i', async (path, status, body) => {
  const { database } = await openSqlite()
  const plain = operation('GET /plain', {
    summary: 'A list without a keyset',
    access: 'anyone',
    responses: { 200: Type.Array(Row) },
    paginated: true,
    run: async () => page([], 0),
  })
  const { app } = openApp(database, [listing(database), plain])
  const response = await app.inject(`/api/v4${path}`)
  expect([response.statusCode, response.json()]).toEqual([status, body])
})

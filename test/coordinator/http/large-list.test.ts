import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { entityTag } from '../../../src/coordinator/http/entity-tag.js'
import { isLargeList, serializeInTurns } from '../../../src/coordinator/http/large-list.js'
import { openSqlite } from '../../support/databases.js'
import { openPlanningScene } from '../planning/support.js'

const MEBIBYTE = 1024 ** 2

test('a list of large texts is the same list, with the ETag of all of it', async () => {
  const { app, ok, root, services, P } = await openPlanningScene(openSqlite)
  for (const title of ['a', 'b']) await ok(`POST ${P}/issues`, { title })
  const route = `GET ${P}/issues?order_by=title&sort=asc`
  const [first] = (await app.call(root, route)).json<{ description: string | null }[]>()
  const description = '"é'.repeat(MEBIBYTE / 2)
  await services.database.updateTable('issue').set({ description }).execute()
  const response = await app.call(root, route)
  expect(response.json()).toMatchObject([
    { ...first, title: 'a', description },
    { title: 'b', description },
  ])
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'x-total': '2',
    etag: entityTag(response.body),
  })
  const headers = { 'private-token': root.token, 'if-none-match': entityTag(response.body) }
  const again = await app.app.inject({ url: `/api/v4${route.slice('GET '.length)}`, headers })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('others are served while a list of large texts is made into JSON', async () => {
  const rows = Array.from({ length: 8 }, (_, id) => ({ id, text: 'x'.repeat(MEBIBYTE) }))
  expect([isLargeList(rows), isLargeList(rows.slice(0, 1)), isLargeList(rows[0])]).toEqual([
    true,
    false,
    false,
  ])
  let turns = 0
  const made = { isDone: false }
  const list = serializeInTurns(rows).finally(() => (made.isDone = true))
  while (!made.isDone) {
    await nextTurn()
    turns++
  }
  expect(turns).toBeGreaterThanOrEqual(rows.length)
  expect(Buffer.concat((await list).json).toString()).toBe(JSON.stringify(rows))
})

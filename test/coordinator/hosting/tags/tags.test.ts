import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  addRepositoryMember,
  openRepositoryApi,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const TAGS = '/repository/tags'

describeOnDatabase('tags', (open) => {
  test('are made, lightweight or with a message, and start the pipelines that pushed ones start', async () => {
    const api = await openRepositoryApi(open)
    const sha = await seedDefaultBranch(api)
    const light = await api.call(`POST ${TAGS}?tag_name=v1&ref=main`, {})
    expect(light.statusCode).toBe(201)
    expect(light.json()).toMatchObject({
      name: 'v1',
      message: null,
      target: sha,
      release: null,
      protected: false,
      created_at: null,
      commit: { id: sha },
    })
    const annotated = await api.call(`POST ${TAGS}`, { tag_name: 'v/2', ref: 'v1', message: 'Two\n\nlines' })
    const { target } = annotated.json<{ target: string }>()
    expect(annotated.json()).toMatchObject({ name: 'v/2', message: 'Two\n\nlines', commit: { id: sha } })
    expect(await api.git('cat-file', '-t', target)).toBe('tag')
    expect(api.pushed.map(({ ref, refType }) => [ref, refType])).toEqual([
      ['v1', 'tag'],
      ['v/2', 'tag'],
    ])
    expect((await api.call(`GET ${TAGS}/v%2F2`)).json()).toEqual(annotated.json())
  })

  testAtNight('have their release, which is deleted with the tag', async () => {
    const api = await openRepositoryApi(open)
    await seedDefaultBranch(api)
    await api.call(`POST ${TAGS}`, { tag_name: 'v1', ref: 'main', release_description: 'Notes' })
    expect((await api.call(`GET ${TAGS}/v1`)).json()).toMatchObject({
      release: { tag_name: 'v1', description: 'Notes' },
    })
    const again = await api.call(`POST ${TAGS}/v1/release`, { description: 'x' })
    expect([again.statusCode, again.json()]).toEqual([409, { message: 'Release already exists' }])
    const changed = await api.call(`PUT ${TAGS}/v1/release`, { description: 'Better' })
    expect([changed.statusCode, changed.json()]).toEqual([200, { tag_name: 'v1', description: 'Better' }])
    const none = await api.call(`POST ${TAGS}/v2/release`, { description: 'x' })
    expect([none.statusCode, none.json()]).toEqual([404, { message: 'Tag does not exist' }])
    expect((await api.call(`DELETE ${TAGS}/v1`)).statusCode).toBe(204)
    expect((await api.call(`DELETE ${TAGS}/v1`)).json()).toEqual({ message: '404 Tag Not Found' })
    expect(await api.database.selectFrom('release').selectAll().execute()).toEqual([])
  })
})

testAtNight('a tag that cannot be made is 405 and says why', async () => {
  const api = await openRepositoryApi()
  const sha = await seedDefaultBranch(api)
  await api.call(`POST ${TAGS}`, { tag_name: 'v1', ref: 'main' })
  const refusals = []
  for (const body of [
    { tag_name: 'v1', ref: 'main' },
    { tag_name: 'v2', ref: 'nowhere' },
    { tag_name: 'a b', ref: 'main' },
    { tag_name: sha, ref: 'main' },
    { tag_name: 'v1/below', ref: 'main' },
    { tag_name: 'refs/tags/v2', ref: 'main' },
  ]) {
    const { statusCode, body: result } = await api.call(`POST ${TAGS}`, body)
    refusals.push(`${statusCode} ${result}`)
  }
  expect(refusals).toEqual([
    '405 {"message":"Tag v1 already exists"}',
    '405 {"message":"Target nowhere is invalid"}',
    '405 {"message":"Tag name invalid"}',
    '405 {"message":"Tag name invalid"}',
    '405 {"message":"Tag name invalid"}',
    '405 {"message":"Tag name invalid"}',
  ])
})

test('protected tags are created only by users the rule allows, and cannot be deleted', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  await api.call('POST /protected_tags', { name: 'v*' })
  const developer = await addRepositoryMember(api, 'dev', 30)
  expect((await api.call(`POST ${TAGS}`, { tag_name: 'v1', ref: 'main' }, developer)).statusCode).toBe(403)
  expect((await api.call(`POST ${TAGS}`, { tag_name: 'v1', ref: 'main' })).json()).toMatchObject({
    protected: true,
  })
  const notes = await api.call(`POST ${TAGS}/v1/release`, { description: 'x' }, developer)
  expect(notes.statusCode).toBe(403)
  expect((await api.call(`DELETE ${TAGS}/v1`)).statusCode).toBe(403)
})

testAtNight('the list is ordered, searched and paged', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  await api.call(`POST ${TAGS}`, { tag_name: 'v1.10', ref: 'main' })
  await seedCommit(api, { b: 'b' })
  await api.call(`POST ${TAGS}`, { tag_name: 'v1.9', ref: 'main', message: 'later' })
  const names = async (query: string): Promise<string[]> => {
    const response = await api.call(`GET ${TAGS}?${query}`)
    return response.json<{ name: string }[]>().map(({ name }) => name)
  }
  expect(await names('order_by=name&sort=asc')).toEqual(['v1.10', 'v1.9'])
  expect(await names('order_by=version&sort=asc')).toEqual(['v1.9', 'v1.10'])
  expect(await names('search=9%24')).toEqual(['v1.9'])
  expect(await names(`regex=${encodeURIComponent('^(v1[.]9|v1)$')}`)).toEqual(['v1.9'])
  expect((await api.call(`GET ${TAGS}?regex=(`)).json()).toEqual({ error: 'regex is invalid' })
  const paged = await api.call(`GET ${TAGS}?per_page=1&order_by=name`)
  expect(paged.headers).toMatchObject({ 'x-total': '2', 'x-next-page': '2' })
  const first = await api.call(`GET ${TAGS}?pagination=keyset&per_page=1&order_by=name`)
  expect(first.headers['link']).toMatch(/page_token=v1\.9>; rel="next"$/)
  expect(first.headers).not.toHaveProperty('x-total')
  const last = await api.call(`GET ${TAGS}?pagination=keyset&per_page=1&order_by=name&page_token=v1.9`)
  expect(last.json()).toMatchObject([{ name: 'v1.10' }])
  expect(last.headers).not.toHaveProperty('link')
  // A tag deleted since has a position in the order by name, and none in another order.
  expect(await names('pagination=keyset&order_by=name&sort=asc&page_token=v1.5')).toEqual(['v1.9'])
  const lost = await api.call(`GET ${TAGS}?pagination=keyset&order_by=updated&page_token=v1.5`)
  expect([lost.statusCode, lost.json()]).toEqual([400, { error: 'page_token is invalid' }])
  expect((await api.call(`GET ${TAGS}/none`)).json()).toEqual({ message: '404 Tag Not Found' })
})

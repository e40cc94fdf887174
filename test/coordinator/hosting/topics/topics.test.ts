import { expect, test } from 'vitest'

import { addMissingTopics } from '../../../../src/coordinator/hosting/topic-store.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { planningSceneForFile } from '../../planning/support.js'
import type { Person } from '../../support/test-app.js'

const openScene = planningSceneForFile()

interface Topic {
  id: number
  name: string
  title: string
  description: string | null
  total_projects_count: number
  avatar_url: string | null
}

describeOnDatabase('topics', (open) => {
  test('are those of projects that the caller sees, by their number, and those of administrators', async () => {
    const { ok, call, person, P, secret, root } = await openScene(open)
    const visitor = await person('visitor')
    await ok(`PUT ${P}`, { topics: ['Rust', 'cli'] })
    await ok(`PUT ${secret}`, { topics: ['rust', 'hidden'] })
    const made = await ok<Topic>('POST /topics', { name: 'go', title: 'Go', description: 'A *language*' })
    expect(made).toEqual({
      id: made.id,
      name: 'go',
      title: 'Go',
      description: 'A *language*',
      total_projects_count: 0,
      avatar_url: null,
    })
    const seen = async (as: Person | null, query = '') => {
      const [, topics] = await call(`GET /topics${query}`, undefined, as)
      return (topics as Topic[]).map((each) => [each.name, each.total_projects_count])
    }
    expect(await seen(root)).toEqual([
      ['Rust', 2],
      ['cli', 1],
      ['hidden', 1],
      ['go', 0],
    ])
    for (const as of [visitor, null]) {
      expect(await seen(as)).toEqual([
        ['Rust', 1],
        ['cli', 1],
        ['go', 0],
      ])
    }
    expect(await seen(visitor, '?search=RU')).toEqual([['Rust', 1]])
    expect(await seen(visitor, '?without_projects=true')).toEqual([['go', 0]])
    expect(await seen(root, '?per_page=1&page=2')).toEqual([['cli', 1]])
    const [hidden] = await ok<Topic[]>('GET /topics?search=hidden')
    expect(await call(`GET /topics/${hidden?.id}`, undefined, visitor)).toMatchObject([404, {}])
    expect(await call('POST /topics', { name: 'x', title: 'x' }, visitor)).toMatchObject([403, {}])
    await ok(`PUT ${secret}`, { topics: [] })
    expect(await seen(root, '?without_projects=true')).toEqual([
      ['hidden', 0],
      ['go', 0],
    ])
    expect(await call(`GET /topics/${hidden?.id}`, undefined, visitor)).toMatchObject([404, {}])
  })

  test('are renamed, merged and deleted with what their projects have', async () => {
    const { ok, call, P, secret } = await openScene(open)
    const topicsOf = async (project: string) => (await ok<{ topics: string[] }>(`GET ${project}`)).topics
    await ok(`PUT ${P}`, { topics: ['a', 'b', 'c'] })
    await ok(`PUT ${secret}`, { topics: ['B', 'd'] })
    const id = async (name: string) =>
      (await ok<Topic[]>(`GET /topics?search=${name}`)).find((each) => each.name === name)?.id
    const b = await id('b')
    expect(await ok(`PUT /topics/${b}`, { name: 'Beta', title: 'B' })).toMatchObject({
      name: 'Beta',
      title: 'B',
      total_projects_count: 2,
    })
    expect([await topicsOf(P), await topicsOf(secret)]).toEqual([
      ['a', 'Beta', 'c'],
      ['Beta', 'd'],
    ])
    const merge = async (source: string, target: string) =>
      call('POST /topics/merge', { source_topic_id: await id(source), target_topic_id: await id(target) })
    expect(await merge('Beta', 'c')).toMatchObject([201, { name: 'c', total_projects_count: 2 }])
    expect([await topicsOf(P), await topicsOf(secret)]).toEqual([
      ['a', 'c'],
      ['c', 'd'],
    ])
    expect(await merge('c', 'c')).toEqual([
      400,
      { message: 'The source topic and the target topic are identical.' },
    ])
    await ok(`DELETE /topics/${await id('c')}`)
    expect([await topicsOf(P), await topicsOf(secret)]).toEqual([['a'], ['d']])
  })

  testAtNight('have one name each, without commas', async () => {
    const { ok, call } = await openScene(open)
    const { id } = await ok<Topic>('POST /topics', { name: ' Go ', title: 'Go' })
    const taken = [400, { message: { name: ['has already been taken'] } }]
    expect(await call('POST /topics', { name: 'gO', title: 'x' })).toEqual(taken)
    expect(await call('POST /topics', { name: 'a,b', title: ' ' })).toEqual([
      400,
      { message: { name: ["can't include commas"], title: ["can't be blank"] } },
    ])
    await ok('POST /topics', { name: 'other', title: 'x' })
    expect(await call(`PUT /topics/${id}`, { name: 'OTHER' })).toEqual(taken)
    expect(await ok(`PUT /topics/${id}`, { name: 'GO' })).toMatchObject({ name: 'GO', title: 'Go' })
  })

  test('of coordinators of an earlier release are added', async () => {
    const { ok, services, P } = await openScene(open)
    const project_id = Number(P.split('/').at(-1))
    await services.database
      .insertInto('project_topic')
      .values({ project_id, name: 'Late', position: 0 })
      .execute()
    expect(await ok('GET /topics')).toEqual([])
    await addMissingTopics(services.database)
    await addMissingTopics(services.database)
    expect(await ok('GET /topics')).toMatchObject([{ name: 'Late', title: 'Late', total_projects_count: 1 }])
  })
})

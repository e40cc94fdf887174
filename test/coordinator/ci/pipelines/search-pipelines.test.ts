import { expect, test } from 'vitest'

import { searchPipelines } from '../../../../src/coordinator/ci/pipelines/search-pipelines.js'
import type { PipelineSelection } from '../../../../src/coordinator/ci/pipelines/store.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { copyRow } from '../../../bench/list-rows.mjs'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson } from '../../support/test-app.js'
import { openEngine, pipelineOf } from '../engine/support/engine.js'

const FILE = 'a: { script: x }'

describeOnEachDatabase('words that pipelines are searched for', (open) => {
  const scene = openForFile(async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const ada = await addPerson(database, 'ada')
    // Users are numbered over all tests of a process, and a number that is searched for finds their names too.
    await database
      .updateTable('user')
      .set({ username: 'eva', name: 'Eva' })
      .where('id', '=', engine.user.id)
      .execute()
    await pipelineOf(engine, `workflow: { name: 'Nightly 100%' }\n${FILE}`, { ref: 'main' })
    const topic = await pipelineOf(engine, FILE, { ref: 'feature/Old-Login' })
    await pipelineOf(engine, FILE, { ref: 'v1.0', refType: 'tag' })
    await database.updateTable('pipeline').set({ user_id: ada.id }).where('ref', '=', 'v1.0').execute()
    const sha = 'abcdef0123456789abcdef0123456789abcdef01'
    await database.updateTable('pipeline').set({ sha }).where('id', '=', topic.id).execute()
    // Newer ones, more than are searched without an index.
    await copyRow(database, 'pipeline', { id: String(topic.id) }, 10_001, {
      ref: "'other'",
      iid: '1000 + i',
      sha: "'0000000000000000000000000000000000000000'",
    })
    return { engine, topic }
  })

  async function find(words: string[], filters: PipelineSelection = {}, perPage = 20): Promise<string[]> {
    const { deps, project } = scene().engine
    const { rows } = await searchPipelines(deps, { project, filters, words }, { ...FIRST_PAGE, perPage })
    return rows.map(({ ref }) => ref)
  }

  test.each([
    [['login'], ['feature/Old-Login']],
    [['LOGIN', 'feat'], ['feature/Old-Login']],
    [['login', 'nothing'], []],
    [['1.0'], ['v1.0']],
    [['1_0'], []],
    [['ada'], ['v1.0']],
    [['ABCDEF01'], ['feature/Old-Login']],
    [['bcdef01'], []],
  ])('%j find pipelines, however many newer ones there are', async (words, refs) => {
    expect(await find(words)).toEqual(refs)
  })

  test('find the pipeline with an ID, also behind #', async () => {
    const { id } = scene().topic
    expect(await find([`#${id}`])).toEqual(['feature/Old-Login'])
    expect(await find([String(id)])).toContain('feature/Old-Login')
  })

  test('find those that match the other filters, in the order that is asked for', async () => {
    expect(await find(['o'], { on: { ref: 'feature/Old-Login', tag: false } })).toEqual(['feature/Old-Login'])
    expect(await find(['other'], { scope: 'branches' })).toEqual(['other'])
    expect(await find(['login'], { status: ['success'] })).toEqual([])
    expect(await find(['100%'], { sort: 'asc' })).toEqual(['main'])
    expect(await find(['other'], {}, 2)).toEqual(['other', 'other'])
  })
})

testAtNight(
  'pipelines are found by words of the title and the author of their commit, and by their name',
  async () => {
    const coordinator = await startCiCoordinator()
    const { app, admin, project } = coordinator
    await pushPipeline(coordinator, `workflow: { name: Nightly build }\n${FILE}`)
    const [first] = (await app.call(admin, `GET /projects/${project.id}/pipelines?with_details=true`)).json<
      { commit: { title: string; author_name: string } }[]
    >()
    const find = async (search: string) => {
      const path = `/projects/${project.id}/pipelines?search=${encodeURIComponent(search)}`
      const response = await app.call(admin, `GET ${path}`)
      expect(response.statusCode).toBe(200)
      return response.json<{ id: number }[]>().length
    }
    const { title = '', author_name: author = '' } = first?.commit ?? {}
    expect(title).not.toBe('')
    for (const search of [
      'nightly',
      'BUILD night',
      title.slice(1),
      author.toUpperCase(),
      `${author} build`,
      '',
    ])
      expect([search, await find(search)]).toEqual([search, 1])
    expect(await find('nightly nothing')).toBe(0)
  },
)

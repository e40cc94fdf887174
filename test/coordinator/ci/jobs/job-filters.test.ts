import { expect, test } from 'vitest'

import { type JobSelection, listJobs } from '../../../../src/coordinator/ci/jobs/store.js'
import type { Paging } from '../../../../src/coordinator/http/page.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { copyRow, FIRST_ID } from '../../../bench/list-rows.mjs'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson } from '../../support/test-app.js'
import { openEngine, pipelineOf, succeed, takeJob, type TestEngine } from '../engine/support/engine.js'
import { addProject, addRunner } from '../engine/support/records.js'

async function namesOf(
  { deps: { database } }: TestEngine,
  selection: JobSelection,
  paging: Paging = FIRST_PAGE,
  counted?: boolean,
): Promise<string[]> {
  const { rows } = await listJobs(database, selection, paging, counted)
  return rows.map(({ name, ref }) => `${name} on ${ref}`)
}

describeOnEachDatabase('a list of jobs', (open) => {
  const scene = openForFile(async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const other = await addProject(database, engine.user)
    const runner = await addRunner(database, { tags: ['gpu', 'linux'], runUntagged: false })
    await pipelineOf(engine, 'a: { script: x }\nb: { script: x, tags: [gpu] }', { ref: 'main' })
    await pipelineOf(engine, 'a: { script: x, tags: [gpu, linux] }', { ref: 'topic' })
    await pipelineOf(engine, 'a: { script: x, tags: [gpu-2] }', { ref: 'main', refType: 'tag' })
    await pipelineOf(engine, 'a: { script: x }\nc: { script: x }', { ref: 'main', project: other })
    await succeed(engine, await takeJob(engine, 'b', runner))
    return { engine, other, runner }
  })

  test.each([
    [{}, ['c on main', 'a on main', 'a on main', 'a on topic', 'b on main', 'a on main']],
    [{ name: 'c' }, ['c on main']],
    [{ name: 'none' }, []],
    [{ ref: 'topic' }, ['a on topic']],
    [{ ref: 'none' }, []],
    [{ ref: 'main', isTag: true }, ['a on main']],
    [{ name: 'a', ref: 'main', isTag: false }, ['a on main', 'a on main']],
    [{ runnerTag: 'gpu' }, ['a on topic', 'b on main']],
    [{ runnerTag: 'gpu', name: 'b' }, ['b on main']],
    [{ runnerTag: 'gpu', statuses: ['pending'] }, ['a on topic']],
    [{ statuses: ['success', 'pending'], name: 'a', ref: 'topic' }, ['a on topic']],
    [{ statuses: ['pending'], ref: 'main', isTag: true }, ['a on main']],
    [{ statuses: ['failed', 'canceled'] }, []],
    [{ runnerTag: '"' }, []],
    [{ words: ['a', 'A'], ref: 'topic' }, ['a on topic']],
    [{ words: ['none'] }, []],
    [{ words: ['%'] }, []],
    [{ words: ['b'], statuses: ['pending'] }, []],
    [{ words: ['b'], runnerTag: 'gpu' }, ['b on main']],
    [{ runnerTag: 'gpu', oldestFirst: true }, ['b on main', 'a on topic']],
  ] as [JobSelection, string[]][])('has those that match %j', async (selection, names) => {
    expect(await namesOf(scene().engine, selection)).toEqual(names)
    expect(await namesOf(scene().engine, selection, FIRST_PAGE, false)).toEqual(names)
  })

  test('of a project or a runner has those that match as well', async () => {
    const { engine, other, runner } = scene()
    const projectId = engine.project.id
    expect(await namesOf(engine, { projectId, name: 'a' })).toEqual(['a on main', 'a on topic', 'a on main'])
    expect(await namesOf(engine, { projectId, name: 'c' })).toEqual([])
    expect(await namesOf(engine, { projectId, ref: 'main', isTag: false })).toEqual([
      'b on main',
      'a on main',
    ])
    expect(await namesOf(engine, { projectId: other.id, ref: 'topic' })).toEqual([])
    const runnerId = runner.id
    expect(await namesOf(engine, { runnerId })).toEqual(['b on main'])
    expect(await namesOf(engine, { runnerId, name: 'b', ref: 'main', runnerTag: 'gpu' })).toEqual([
      'b on main',
    ])
    expect(await namesOf(engine, { runnerId, name: 'a' })).toEqual([])
    expect(await namesOf(engine, { runnerId, ref: 'topic' })).toEqual([])
    expect(await namesOf(engine, { projectId, runnerId })).toEqual(['b on main'])
    expect(await namesOf(engine, { projectId: other.id, statuses: ['pending'] })).toEqual([
      'c on main',
      'a on main',
    ])
    expect(await namesOf(engine, { runnerId, statuses: ['pending'] })).toEqual([])
    expect(await namesOf(engine, { runnerId, statuses: ['success'] })).toEqual(['b on main'])
  })

  test('continues behind the last job of the page before', async () => {
    const { engine } = scene()
    const after = (id: number | undefined) => ({
      ...FIRST_PAGE,
      perPage: 1,
      keyset: { column: 'id', direction: 'desc' as const, after: id === undefined ? undefined : { id } },
    })
    const { rows } = await listJobs(engine.deps.database, { runnerTag: 'gpu' }, after(undefined))
    expect(rows).toMatchObject([{ name: 'a', ref: 'topic' }])
    expect(await namesOf(engine, { runnerTag: 'gpu' }, after(rows[0]?.id))).toEqual(['b on main'])
    expect(await namesOf(engine, { ref: 'main', name: 'a' }, after(rows[0]?.id))).toEqual(['a on main'])
  })

  test('by a name continues in the jobs of all projects', async () => {
    const { engine } = scene()
    const page = (offset: number) =>
      namesOf(engine, { name: 'a' }, { page: 1 + offset / 3, perPage: 3, offset }, false)
    expect(await page(0)).toEqual(['a on main', 'a on main', 'a on topic'])
    expect(await page(3)).toEqual(['a on main'])
    expect(await page(6)).toEqual([])
    const { rows } = await listJobs(engine.deps.database, { name: 'a' }, FIRST_PAGE, false)
    const after = { column: 'id', direction: 'desc' as const, after: { id: rows[1]?.id ?? 0 } }
    expect(await namesOf(engine, { name: 'a' }, { ...FIRST_PAGE, keyset: after }, false)).toEqual([
      'a on topic',
      'a on main',
    ])
  })
})

describeOnEachDatabase('words of the name of a job', (open) => {
  const scene = openForFile(async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const other = await addProject(database, engine.user)
    const files = ['Test Linux amd64: { script: x }\ntest windows: { script: x }\nbuild: { script: x }']
    for (const file of files) await pipelineOf(engine, file, { ref: 'main' })
    await pipelineOf(engine, 'test linux arm64: { script: x }', { ref: 'main', project: other })
    const old = await database
      .selectFrom('job')
      .selectAll()
      .where('name', '=', 'build')
      .executeTakeFirstOrThrow()
    await copyRow(database, 'job', { id: String(old.id) }, 10_001, { name: "'lint'" })
    return { engine, other }
  })

  test('find it among newer jobs that other filters select, in a project and in all', async () => {
    const { engine, other } = scene()
    const projectId = engine.project.id
    const find = (words: string[], selection: JobSelection = {}, perPage = 20) =>
      namesOf(engine, { words, ...selection }, { ...FIRST_PAGE, perPage }, false)
    expect(await find(['test', 'LINUX'], { projectId })).toEqual(['Test Linux amd64 on main'])
    expect(await find(['64'])).toEqual(['test linux arm64 on main', 'Test Linux amd64 on main'])
    expect(await find(['64'], { projectId: other.id })).toEqual(['test linux arm64 on main'])
    expect(await find(['test'], { projectId, ref: 'main' }, 1)).toEqual(['test windows on main'])
    expect(await find(['i'], { projectId }, 1)).toEqual(['lint on main'])
    expect(await find(['ui'], { projectId })).toEqual(['build on main'])
    expect(await find(['t_st'], { projectId })).toEqual([])
  })

  test('continue behind a job and behind a page', async () => {
    const { engine } = scene()
    const selection = { words: ['t'], projectId: engine.project.id, statuses: ['pending' as const] }
    const page = (number: number) => ({ page: number, perPage: 1, offset: number - 1 })
    const { rows } = await listJobs(engine.deps.database, { words: ['windows'] }, FIRST_PAGE, false)
    const after = { column: 'id', direction: 'desc' as const, after: { id: rows[0]?.id ?? 0 } }
    const keyset = { ...FIRST_PAGE, keyset: after }
    expect(await namesOf(engine, selection, keyset, false)).toEqual(['Test Linux amd64 on main'])
    expect(await namesOf(engine, { words: ['64'] }, page(2), false)).toEqual(['Test Linux amd64 on main'])
    expect(await namesOf(engine, { words: ['64'] }, page(3), false)).toEqual([])
  })

  test('that very many names contain are searched for in the newest jobs', async () => {
    const { engine } = scene()
    const { database } = engine.deps
    const old = await database
      .selectFrom('job')
      .selectAll()
      .where('name', '=', 'build')
      .executeTakeFirstOrThrow()
    await copyRow(database, 'job', { id: String(old.id) }, 201, {
      id: '20000 + i',
      name: "'part ' || i",
      project_id: '1',
    })
    const { rows } = await listJobs(database, { words: ['part'] }, { ...FIRST_PAGE, perPage: 100 }, false)
    expect(rows).toHaveLength(100)
    expect(rows.every(({ name }) => name.startsWith('part '))).toBe(true)
  })
})

describeOnEachDatabase('a filter that selects many jobs', (open) => {
  test('has the newest of them', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const { id } = await pipelineOf(engine, 'a: { script: x }')
    await copyRow(database, 'pipeline', { id: String(id) }, 1001, { iid: '1000 + i' })
    await copyRow(database, 'job', { pipeline_id: String(id) }, 1001, {
      pipeline_id: '1000 + i',
      runner_id: '1',
    })
    const last = FIRST_ID + 1000
    const idsOf = async (selection: JobSelection) =>
      (await listJobs(database, selection, { ...FIRST_PAGE, perPage: 2 })).rows.map((job) => job.id)
    const projectId = engine.project.id
    const selections: JobSelection[] = [
      ...[{ name: 'a' }, { ref: 'main' }, { name: 'a', ref: 'main', isTag: false }],
      { statuses: ['pending', 'running'] },
    ]
    for (const selection of selections) {
      expect(await idsOf({ projectId, ...selection })).toEqual([last, last - 1])
      expect(await idsOf({ runnerId: engine.runner.id, ...selection })).toEqual([last, last - 1])
    }
  })
})

test('administrators list the jobs of all projects, each with its project', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, database, project } = coordinator
  const { id } = await pushPipeline(coordinator, 'a: { script: x }\nb: { script: x, tags: [gpu] }')
  const list = async (query: string) => {
    const response = await app.call(admin, `GET /jobs?${query}`)
    expect(response.statusCode).toBe(200)
    return response.json<{ name: string }[]>().map(({ name }) => name)
  }
  expect((await app.call(admin, 'GET /jobs?per_page=1')).json()).toMatchObject([
    { name: 'b', pipeline: { id }, project: { id: project.id, path_with_namespace: 'group/app' } },
  ])
  expect(await list('scope[]=pending')).toEqual(['b', 'a'])
  expect(await list('scope[]=success')).toEqual([])
  expect(await list('tag=gpu&ref=main')).toEqual(['b'])
  expect(await list('ref=refs/tags/main')).toEqual([])
  const first = await app.call(admin, 'GET /jobs?pagination=keyset&per_page=1')
  expect(first.headers['link']).toContain('id_before=')
  const person = await addPerson(database, 'ada')
  expect((await app.call(person, 'GET /jobs')).statusCode).toBe(403)

  const ofProject = async (query: string) =>
    (await app.call(admin, `GET /projects/${project.id}/${query}`))
      .json<{ name: string }[]>()
      .map(({ name }) => name)
  expect(await ofProject('jobs?name=a&ref=main')).toEqual(['a'])
  expect(await ofProject('jobs?search=A')).toEqual(['a'])
  expect(await ofProject('jobs?search=%20')).toEqual(['b', 'a'])
  expect(await ofProject(`pipelines/${id}/jobs?search=B`)).toEqual(['b'])
  expect(await list('search=b')).toEqual(['b'])
  expect(await ofProject('jobs?ref=refs/tags/main')).toEqual([])
  expect(await ofProject(`pipelines/${id}/jobs?tag=gpu`)).toEqual(['b'])
})

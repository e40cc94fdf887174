import { describe, expect, test } from 'vitest'

import type { PipelineRow } from '../../../src/coordinator/database/tables/pipeline-rows.js'
import { SHA } from '../../coordinator/ci/engine/support/fake-repositories.js'
import { openBadgeApp } from '../../coordinator/support/badges.js'
import {
  type CiCoordinator,
  pushPipeline,
  startCiCoordinator,
} from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { addPerson, type Person } from '../../coordinator/support/test-app.js'
import type { OpenDatabase } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'

const FILE = 'build: { script: [make], artifacts: { paths: [app] } }'
const BRANCH = { ref: 'main', refType: 'branch' } as const
const TAG = { ref: 'main', refType: 'tag' } as const

type On = typeof BRANCH | typeof TAG

interface Scene {
  coordinator: CiCoordinator
  developer: Person
  /** Runs the one job of a pipeline, whose archive is `content`. */
  build: (on: On, content: string) => Promise<PipelineRow>
  get: (path: string) => ReturnType<CiCoordinator['app']['call']>
}

const scene = sceneForFile(openScene)

/** The protected branch `main` and a tag `main` that a developer made. */
async function start(): Promise<Scene> {
  const opened = await scene()
  const { tags, missingRefs } = opened.coordinator.repositories
  tags.add('main')
  missingRefs.clear()
  return opened
}

async function openScene(open: OpenDatabase): Promise<Scene> {
  const coordinator = await startCiCoordinator({}, open)
  const { app, database, project, admin } = coordinator
  const rule = { project_id: project.id, kind: 'branch', name: 'main', created_at: 0 } as const
  const levels = { push_access_level: 40, merge_access_level: 40, allow_force_push: false }
  await database
    .insertInto('protected_ref')
    .values({ ...rule, ...levels })
    .execute()
  const developer = await addPerson(database, 'dev')
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: developer.id, access_level: 30, created_at: 0 })
    .execute()
  const runner = await RunnerClient.register(coordinator)
  return {
    coordinator,
    developer,
    build: async (on, content) => {
      const pipeline = await pushPipeline(coordinator, FILE, on)
      const job = await runner.takeJob()
      await runner.upload(job, content)
      await runner.update(job, 'success')
      return pipeline
    },
    get: (path) => app.call(admin, `GET /projects/${project.id}${path}`),
  }
}

describe('a tag with the name of a protected branch', () => {
  test('does not replace the artifacts of the branch', async () => {
    const { build, get } = await start()
    await build(BRANCH, 'of the branch')
    await build(TAG, 'of the tag')
    const download = async (ref: string, more = '') =>
      (await get(`/jobs/artifacts/${encodeURIComponent(ref)}/download?job=build${more}`)).body
    expect(await download('main')).toBe('of the branch')
    expect(await download('main', '&search_recent_successful_pipelines=true')).toBe('of the branch')
    expect(await download('refs/heads/main')).toBe('of the branch')
    expect(await download('refs/tags/main')).toBe('of the tag')
  })

  test('does not lend its artifacts to a branch that has none', async () => {
    const { build, get } = await start()
    await build(TAG, 'of the tag')
    for (const path of ['main/download?job=build', 'main/raw/app?job=build']) {
      expect((await get(`/jobs/artifacts/${path}`)).statusCode).toBe(404)
    }
  })

  test('does not become the latest pipeline of the branch', async () => {
    const { build, get } = await start()
    const { id } = await build(BRANCH, 'x')
    const tagged = await build(TAG, 'x')
    for (const query of ['', '?ref=main', '?ref=refs/heads/main']) {
      expect((await get(`/pipelines/latest${query}`)).json()).toMatchObject({ id, tag: false })
    }
    expect((await get('/pipelines/latest?ref=refs/tags/main')).json()).toMatchObject({ id: tagged.id })
  })

  test('is not in the list of the pipelines of the branch', async () => {
    const { build, get } = await start()
    const { id } = await build(BRANCH, 'x')
    const tagged = await build(TAG, 'x')
    const list = async (ref: string) =>
      (await get(`/pipelines?ref=${ref}`)).json<{ id: number }[]>().map((pipeline) => pipeline.id)
    expect(await list('main')).toEqual([id])
    expect(await list('refs/heads/main')).toEqual([id])
    expect(await list('refs/tags/main')).toEqual([tagged.id])
  })

  test('does not set the badges of the branch', async () => {
    const { coordinator, build } = await start()
    await build(TAG, 'x')
    expect(await badge(coordinator, 'main/pipeline')).toBe('pipeline: unknown')
    expect(await badge(coordinator, 'refs/tags/main/pipeline')).toBe('pipeline: passed')
    await pushPipeline(coordinator, FILE, BRANCH)
    expect(await badge(coordinator, 'main/pipeline')).toBe('pipeline: pending')
    await pushPipeline(coordinator, FILE, TAG)
    expect(await badge(coordinator, 'main/coverage')).toBe('coverage: unknown')
  })

  test('does not receive the commit statuses of the branch', async () => {
    const { coordinator, build, get } = await start()
    const { app, admin, project } = coordinator
    const branch = await build(BRANCH, 'x')
    const tagged = await build(TAG, 'x')
    const report = async (ref: string) =>
      (
        await app.call(admin, `POST /projects/${project.id}/statuses/${SHA}`, { state: 'success', ref })
      ).json<{ pipeline_id: number }>().pipeline_id
    expect(await report('main')).toBe(branch.id)
    expect(await report('refs/tags/main')).toBe(tagged.id)
    const statuses = (await get(`/repository/commits/${SHA}/statuses?ref=main`)).json<
      { pipeline_id: number }[]
    >()
    expect(new Set(statuses.map(({ pipeline_id }) => pipeline_id))).toEqual(new Set([branch.id]))
  })

  test('does not let a developer run a pipeline on the branch', async () => {
    const { coordinator, developer } = await start()
    const { app, admin, project } = coordinator
    coordinator.repositories.ciFile = FILE
    const run = (as: Person, ref: string) => app.call(as, `POST /projects/${project.id}/pipeline`, { ref })
    expect((await run(developer, 'main')).body).toContain('sufficient permission to run a pipeline')
    expect((await run(developer, 'refs/tags/main')).json()).toMatchObject({ ref: 'main', tag: true })
    expect((await run(admin, 'main')).json()).toMatchObject({ ref: 'main', tag: false })
  })

  test('does not take the place of the branch in a pipeline schedule', async () => {
    const { coordinator, developer } = await start()
    const { app, admin, project } = coordinator
    const create = (as: Person, ref: string) =>
      app.call(as, `POST /projects/${project.id}/pipeline_schedules`, {
        ref,
        description: 'x',
        cron: '0 1 * * *',
      })
    expect((await create(developer, 'main')).statusCode).toBe(403)
    expect((await create(admin, 'main')).json()).toMatchObject({ ref: 'refs/heads/main' })
    expect((await create(developer, 'refs/tags/main')).json()).toMatchObject({ ref: 'refs/tags/main' })
  })

  test('that was deleted does not take the place of a deleted branch', async () => {
    const { coordinator, build, get } = await start()
    const { id } = await build(BRANCH, 'x')
    await build(TAG, 'x')
    coordinator.repositories.missingRefs.add('main')
    coordinator.repositories.tags.clear()
    expect((await get('/pipelines/latest?ref=main')).json()).toMatchObject({ id })
  })
})

test('a tag is found by its short name when no branch has that name', async () => {
  const { coordinator, build, get } = await start()
  coordinator.repositories.missingRefs.add('main')
  const { id } = await build(TAG, 'of the tag')
  expect((await get('/pipelines/latest?ref=main')).json()).toMatchObject({ id })
  expect((await get('/jobs/artifacts/main/download?job=build')).body).toBe('of the tag')
  coordinator.repositories.tags.clear()
  expect((await get('/pipelines?ref=main')).json()).toMatchObject([{ id }])
})

async function badge(coordinator: CiCoordinator, name: string) {
  const { app } = openBadgeApp(coordinator)
  const url = `/group/app/badges/${name}.svg`
  const { body } = await app.inject({ url, headers: { 'private-token': coordinator.admin.token } })
  return /<title>(.*)<\/title>/.exec(body)?.[1]
}

import { expect, test } from 'vitest'

import { pushPipeline, startCiCoordinator } from '../../../support/ci-coordinator.js'
import { addPerson } from '../../../support/test-app.js'

test('pipelines of all projects are listed with their projects, and with details on request', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, database, project } = coordinator
  const first = await pushPipeline(coordinator, 'a: { script: x }')
  const last = await pushPipeline(coordinator, 'a: { script: x, when: manual, allow_failure: false }')
  const list = (query: string) => app.call(admin, `GET /pipelines?${query}`)
  const inProject = { id: project.id, name: 'App', path_with_namespace: 'group/app' }
  const all = (await list('')).json<object[]>()
  expect(all).toMatchObject([
    { id: last.id, status: 'manual', project: inProject },
    { id: first.id, project: inProject },
  ])
  expect(all[0]).not.toHaveProperty('stages')
  expect((await list('mine=true&scope[]=running&scope[]=recent&with_details=true')).json()).toMatchObject([
    { id: first.id, stages: [{ counts: { pending: 1 } }], commit: { title: 'A commit' }, project: inProject },
  ])
  expect((await list('group=group')).json()).toHaveLength(2)
  expect((await list('group=other')).json()).toEqual({ message: '404 Group Not Found' })
  expect((await list('scope=odd')).json()).toEqual({ error: 'scope does not have a valid value' })
  const page = await list('pagination=keyset&per_page=1')
  expect(page.headers['link']).toContain(`id_before=${last.id}`)
  expect((await app.call(undefined, 'GET /pipelines')).statusCode).toBe(401)

  const summary = `GET /projects/pipelines_summary?ids[]=${project.id}`
  expect((await app.call(admin, summary)).json()).toMatchObject([
    {
      project_id: project.id,
      last_pipeline: { id: last.id },
      pipelines: [{ id: first.id }, { id: last.id }],
    },
  ])
  expect((await app.call(undefined, summary)).json()).toEqual([])
  const many = Array.from({ length: 101 }, (_, index) => `ids[]=${index}`).join('&')
  expect((await app.call(admin, `GET /projects/pipelines_summary?${many}`)).json()).toEqual({
    error: 'ids has too many values',
  })
  const person = await addPerson(database, 'ada')
  expect((await app.call(person, 'GET /pipelines')).json()).toEqual([])
})

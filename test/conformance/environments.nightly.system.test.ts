import { expect, test } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const opened = openForFile(() => Service.start())

test('python-gitlab keeps environments and tells of deployments', async () => {
  const service = opened()
  const project = await service.addProject()
  const sha = await service.push(project, { a: 'a' })
  const { root, url } = service
  expect(await runPython('environments.py', { url, token: root.token, project: project.id, sha })).toEqual({
    slugs: ['prod', 'stage'],
    paged: ['prod', 'stage', 'review/a'],
    found: ['stage'],
    shown: ['https://example.com', 'available', 'success'],
    deployments: [[1, 'success', 'prod', null]],
    ended: {
      kind: 'GitlabUpdateError',
      status: 400,
      message: 'Cannot transition status via running from success',
    },
    taken: { kind: 'GitlabCreateError', status: 400, message: { name: ['has already been taken'] } },
    both: { kind: 'GitlabListError', status: 400, message: 'name, search cannot be used together' },
    gone: { kind: 'GitlabGetError', status: 404, message: '404 Environment Not Found' },
    no_commit: { kind: 'GitlabCreateError', status: 400, message: { sha: ['The commit does not exist'] } },
    no_status: { kind: 'GitlabHttpError', status: 400, message: 'status is missing' },
  })
})

test('@gitbeaker/rest keeps environments and tells of deployments', async () => {
  const service = opened()
  const project = await service.addProject()
  const sha = await service.push(project, { a: 'a' })
  const { id } = project
  const { Environments, Deployments } = service.root.gitbeaker
  const prod = await Environments.create(id, 'prod', { tier: 'production' })
  const stage = await Environments.create(id, 'stage')
  expect(stage).toMatchObject({ slug: 'stage', tier: 'staging', state: 'available' })
  expect((await Environments.all(id, { perPage: 1 })).map(({ name }) => name)).toEqual(['prod', 'stage'])
  expect(await Environments.edit(id, prod.id, { externalUrl: 'https://example.com' })).toMatchObject({
    external_url: 'https://example.com',
  })
  const deployment = await Deployments.create(id, 'prod', sha, 'main', false, { status: 'running' })
  expect(await Deployments.edit(id, deployment.id, 'success')).toMatchObject({ status: 'success', iid: 1 })
  expect(await refusalOf(Deployments.edit(id, deployment.id, 'running'))).toEqual({
    status: 400,
    description: 'Cannot transition status via running from success',
  })
  expect(await Deployments.all(id, { environment: 'prod' })).toMatchObject([{ id: deployment.id }])
  expect(await refusalOf(Deployments.remove(id, deployment.id))).toMatchObject({ status: 400 })
  expect(await Environments.show(id, prod.id)).toMatchObject({ last_deployment: { id: deployment.id } })
  expect(await Environments.stop(id, stage.id)).toMatchObject({ state: 'stopped' })
  await Environments.remove(id, stage.id)
  expect(await refusalOf(Environments.show(id, stage.id))).toEqual({
    status: 404,
    description: '404 Environment Not Found',
  })
})

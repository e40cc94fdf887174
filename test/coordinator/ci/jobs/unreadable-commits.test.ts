import { expect, onTestFinished, test, vi } from 'vitest'

import { CommitNotFoundError } from '../../../../src/coordinator/hosting/repositories/errors.js'
import { unreadableObject } from '../../../../src/git/errors.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { SHA } from '../engine/support/fake-repositories.js'

test.each([
  ['gone', new CommitNotFoundError(SHA)],
  ['damaged', unreadableObject(SHA)],
])('lists show jobs and pipelines whose commit is %s', async (_, error) => {
  const coordinator = await startCiCoordinator()
  const { app, admin, project, repositories } = coordinator
  await pushPipeline(coordinator, 'a: { script: x }')
  const read = vi.spyOn(repositories, 'readCommit').mockRejectedValue(error)
  onTestFinished(() => read.mockRestore())
  const list = async (path: string) => {
    const response = await app.call(admin, `GET ${path}`)
    expect([path, response.statusCode]).toEqual([path, 200])
    return response.json<object[]>()
  }
  expect(await list('/jobs')).toMatchObject([{ name: 'a', commit: null }])
  expect(await list(`/projects/${project.id}/jobs`)).toMatchObject([{ name: 'a', commit: null }])
  expect(await list(`/projects/${project.id}/pipelines?with_details=true`)).toHaveLength(1)
  expect(await list(`/projects/${project.id}/pipelines?search=main`)).toHaveLength(1)
})

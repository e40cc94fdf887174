import { expect, test } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const opened = openForFile(() => Service.start())

test('python-gitlab logs in, reads the version and understands errors', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  expect(await runPython('version.py', { url: service.url, token: ann.token })).toEqual({
    username: 'ann',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    unknown_token: { kind: 'GitlabAuthenticationError', status: 401, message: '401 Unauthorized' },
    unknown_project: { kind: 'GitlabGetError', status: 404, message: '404 Project Not Found' },
  })
})

test('@gitbeaker/rest logs in, reads the version and understands errors', async () => {
  const service = opened()
  const { gitbeaker } = await service.addPerson('bob')
  expect(await gitbeaker.Users.showCurrentUser()).toMatchObject({ username: 'bob' })
  expect(await gitbeaker.Metadata.show()).toMatchObject({ version: expect.any(String) as string })
  expect(await refusalOf(gitbeaker.Projects.show('no/such-project'))).toEqual({
    status: 404,
    description: '404 Project Not Found',
  })
})

test('a project, its files, a pipeline and a runner are there for the tests to use', async () => {
  const service = opened()
  const cid = await service.addPerson('cid')
  const project = await service.addProject({ '.gitlab-ci.yml': 'build:\n  script: make\n' }, cid)
  const runner = await service.addRunner()
  const job = await runner.takeJob()
  expect((await runner.update(job, 'success')).status).toBe(200)
  expect(await cid.gitbeaker.Jobs.all(project.id)).toMatchObject([{ name: 'build', status: 'success' }])
})

import { expect, test } from 'vitest'

import { HookReceiver, type Received } from '../coordinator/ci/signals/hook-receiver.js'
import { startDockerRunner } from '../support/docker-runner.js'
import { runPython } from './support/python.js'
import { Service } from './support/service.js'

interface Day {
  trace: string
  night_trace: string
  names: string[]
}

test('a day of a CI user, from the account to the release', async () => {
  const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
  const receiver = await HookReceiver.start()
  const { token } = await service.addRunner({ description: 'of the day' })
  await startDockerRunner(service.url, token)

  const { trace, night_trace, names, ...told } = await runPython<Day>('day.py', {
    url: service.url,
    token: service.root.token,
    receiver: receiver.url,
  })
  expect(told).toEqual({
    me: 'dora',
    protected: ['main'],
    pushed: ['push', 'failed', 'success'],
    failure: ['failed', 'script_failure'],
    out: ['hello, aVeryLongSecret\n', 'hello, aVeryLongSecret\n'],
    nightly: ['schedule', 'failed'],
    deployed: ['available', 'https://staging.example.com', 'success'],
    stopped: 'stopped',
    gone: 404,
    release: ['v1.0', 'First', ['out']],
    tags: ['v1.0'],
    ran_on: 'of the day',
  })
  expect(names).toContain('dist/out.txt')
  expect(trace).toContain('hello, [MASKED]\n')
  expect(trace).toContain('Job succeeded')
  expect(night_trace).toContain('good night, [MASKED]\n')

  const [release] = await receiver.until(1, ({ body }) => body['object_kind'] === 'release')
  expect(release?.headers).toMatchObject({ 'x-gitlab-event': 'Release Hook', 'x-gitlab-token': 'secret' })
  expect(release?.body).toMatchObject({ action: 'create', tag: 'v1.0', project: { name: 'day' } })
  await receiver.until(1, isPipeline('failed'))
  const [succeeded] = await receiver.until(1, isPipeline('success'))
  expect(succeeded?.body).toMatchObject({ user: { username: 'dora' }, commit: { title: 'Build it' } })
  await receiver.until(1, ({ body }) => body['object_kind'] === 'deployment' && body['status'] === 'success')
})

function isPipeline(status: string) {
  return ({ body }: Received): boolean => {
    const attributes = body['object_attributes']
    return (
      body['object_kind'] === 'pipeline' &&
      typeof attributes === 'object' &&
      attributes !== null &&
      'status' in attributes &&
      attributes.status === status
    )
  }
}

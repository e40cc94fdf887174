import { expect, test } from 'vitest'

import { readExecutorOptions } from '../../../src/runner/executor/executor.js'

test.each([
  [undefined, {}],
  [null, {}],
  [{ docker: { platform: 'linux/arm64', user: 1000 } }, { platform: 'linux/arm64', user: '1000' }],
  [{ docker: { user: 'builder:builders', platform: '' } }, { user: 'builder:builders' }],
  [{ kubernetes: { user: 7 } }, {}],
])('executor_opts %j request %j', (options, expected) => {
  expect(readExecutorOptions(options, 'image')).toEqual(expected)
})

test.each([
  [
    { podman: {} },
    'has the option "podman", which this runner does not know; known options: docker, kubernetes',
  ],
  [{ docker: { memory: '1g' } }, 'has the option "docker.memory"'],
  [{ docker: 'linux/arm64' }, 'has the option "docker"'],
  [{ docker: { user: true } }, 'the option "docker.user" of the image of the job must be a name or a number'],
  [{ docker: { platform: 3 } }, 'the option "docker.platform" of the image of the job must be a string'],
])('executor_opts %j fail the job', (options, message) => {
  expect(() => readExecutorOptions(options, 'image')).toThrow(message)
})

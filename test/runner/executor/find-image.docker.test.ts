import Docker from 'dockerode'
import { expect, test } from 'vitest'

import { findImage } from '../../../src/runner/executor/docker/images/find-image.js'
import { PrivateImages } from '../../../src/runner/executor/docker/images/private-images.js'
import { SharedPulls } from '../../../src/runner/executor/docker/images/shared-pulls.js'
import type { PullPolicy } from '../../../src/runner/executor/docker/settings.js'
import { busyboxImage } from '../../support/docker-image.js'
import { NEVER, RecordedLog } from './docker-jobs.js'
import { startFakeRegistry } from './fake-registry.js'

function finder() {
  const docker = new Docker()
  const pulls = new SharedPulls(docker)
  const access = { privateImages: new PrivateImages(undefined), credentials: [], platform: undefined }
  return (image: string, policies: PullPolicy[], log = new RecordedLog(), signal = NEVER) =>
    findImage({ docker, pulls, retryDelay: 1, ...access }, image, policies, log, signal)
}

test('concurrent jobs share one pull of a missing image', async () => {
  const registry = await startFakeRegistry()
  const find = finder()
  const image = `${registry.host}/image:1`
  const logs = [new RecordedLog(), new RecordedLog(), new RecordedLog()]
  const abort = new AbortController()
  const [first, second, third] = logs.map((log, index) =>
    find(image, ['always'], log, index === 0 ? abort.signal : NEVER),
  )
  for (const log of logs) await log.seen(`Pulling docker image ${image} ...`)
  abort.abort(new Error('canceled'))
  await expect(first).rejects.toThrow('canceled')
  registry.release()
  expect((await second)?.id).toBe((await third)?.id)
  expect(registry.pulls).toEqual(['/v2/image/manifests/1'])
  expect(logs[1]?.text).toMatch(/Using docker image sha256:\w+ for \S+ with digest \S+@sha256:\w+ \.\.\./)
})

test('a pull without waiting jobs is aborted, and a later one starts again', async () => {
  const registry = await startFakeRegistry()
  const find = finder()
  const image = `${registry.host}/image:1`
  const abort = new AbortController()
  const log = new RecordedLog()
  const found = find(image, ['always'], log, abort.signal)
  await log.seen('Pulling docker image')
  abort.abort(new Error('canceled'))
  await expect(found).rejects.toThrow('canceled')
  registry.release()
  await expect(find(image, ['always'])).resolves.toMatchObject({ name: image })
})

test('if-not-present contacts the registry only the first time', async () => {
  const registry = await startFakeRegistry()
  registry.release()
  const find = finder()
  const image = `${registry.host}/image:1`
  await find(image, ['if-not-present'])
  const asked = registry.pulls.length
  const log = new RecordedLog()
  await find(image, ['if-not-present'], log)
  expect(registry.pulls.length).toBe(asked)
  expect(log.text).toContain('Using locally found image version due to "if-not-present" pull policy')
})

test('pull policies are tried in order', async () => {
  const registry = await startFakeRegistry()
  const log = new RecordedLog()
  const local = await busyboxImage()
  await finder()(local, ['never'], log)
  const failing = finder()(`${registry.host}/missing:1`, ['always', 'if-not-present', 'never'], log)
  await expect(failing).rejects.toMatchObject({ reason: 'runner_configuration_error' })
  expect(log.text).toContain('WARNING: Failed to pull image with policy "always"')
  expect(log.text).toContain('Attempt #2: Trying "if-not-present" pull policy')
  expect(log.text).toContain('Attempt #3: Trying "never" pull policy')
})

test.each([
  ['missing', 'runner_configuration_error'],
  ['private', 'runner_configuration_error'],
])('an image that is %s at the registry is a %s', async (name, reason) => {
  const registry = await startFakeRegistry()
  const image = `${registry.host}/${name}:1`
  const failure = await finder()(image, ['always']).catch((error: unknown) => error)
  expect(failure).toMatchObject({ reason })
  expect(String(failure)).toContain(`The image "${image}" cannot be pulled: `)
})

test('an unavailable registry is tried three times and is a system failure', async () => {
  const failure = await finder()('127.0.0.1:9/image:1', ['always']).catch((error: unknown) => error)
  expect(failure).toMatchObject({ reason: 'runner_external_dependency_failure' })
})

test.each(['/', '../containers/x', 'a//b:1'])('the name %j is never sent to the engine', async (name) => {
  await expect(finder()(name, ['if-not-present'])).rejects.toMatchObject({
    reason: 'runner_configuration_error',
    message: `"${name}" is not a valid image name`,
  })
})

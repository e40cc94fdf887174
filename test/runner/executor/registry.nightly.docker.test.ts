import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'
import { describe, expect, test } from 'vitest'

import type { CredentialSource } from '../../../src/runner/executor/docker/credentials/credential-sources.js'
import { credentialSources } from '../../../src/runner/executor/docker/credentials/credential-sources.js'
import { findImage } from '../../../src/runner/executor/docker/images/find-image.js'
import { PrivateImages } from '../../../src/runner/executor/docker/images/private-images.js'
import { SharedPulls } from '../../../src/runner/executor/docker/images/shared-pulls.js'
import { withImage } from '../../../src/runner/executor/docker/images/with-image.js'
import type { PullPolicy } from '../../../src/runner/executor/docker/settings.js'
import { authConfigFor, REGISTRY_USER, startRegistry } from '../../support/registry.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER, RecordedLog } from './docker-jobs.js'

const docker = new Docker()

/** A runner's way to images. What it remembers is in one folder for all of its jobs. */
async function runner(settings: { authConfig?: string } = {}) {
  const folder = join(await tempDir(), 'private-images')
  const pulls = new SharedPulls(docker)
  return {
    folder,
    /** As a job whose variable holds `authConfig`; returns what its log says. */
    async find(image: string, policy: PullPolicy, authConfig?: string, platform?: string) {
      const log = new RecordedLog()
      const environment = { HOME: folder, PATH: process.env['PATH'] }
      const credentials: CredentialSource[] = await credentialSources(
        { authConfig },
        settings,
        log,
        environment,
      )
      const privateImages = new PrivateImages(folder)
      const finder = { docker, pulls, retryDelay: 1, privateImages, credentials, platform }
      const found = await findImage(finder, image, [policy], log, NEVER)
      return { id: found.id, text: log.text }
    },
  }
}

describe('public registry', () => {
  test('an image is pulled without credentials and shared by all jobs', async () => {
    const registry = await startRegistry()
    const image = await registry.push('group/app:1')
    const { find, folder } = await runner()
    const first = await find(image, 'always')
    expect(first.text).toContain(`Pulling docker image ${image} ...`)
    expect(first.text).not.toContain('Authenticating')
    const second = await find(image, 'if-not-present')
    expect(second.text).toContain('Using locally found image version due to "if-not-present" pull policy')
    expect((await find(first.id, 'never')).id).toBe(first.id)
    expect(await readdir(folder).catch(() => [])).toEqual([])
  })

  test('unneeded credentials do not make the image private', async () => {
    const registry = await startRegistry()
    const image = await registry.push('app:1')
    const { find } = await runner()
    const first = await find(image, 'always', authConfigFor([registry.host]))
    expect(first.text).toContain('Authenticating with credentials from $DOCKER_AUTH_CONFIG')
    expect((await find(image, 'if-not-present')).id).toBe(first.id)
    await registry.stop()
    expect((await find(image, 'never')).id).toBe(first.id)
  })

  test('an image for another platform is not used', async () => {
    const registry = await startRegistry()
    const image = await registry.push('app:1')
    const { find } = await runner()
    await find(image, 'always')
    expect((await find(image, 'if-not-present', undefined, 'linux/x86_64')).text).toContain('locally found')
    const other = find(image, 'never', undefined, 'linux/s390x')
    await expect(other).rejects.toMatchObject({ reason: 'runner_configuration_error' })
  })

  test('an image that is removed before its use is pulled again', async () => {
    const registry = await startRegistry()
    const image = await registry.push('app:1')
    const { find } = await runner()
    let tries = 0
    const { image: used, result } = await withImage(
      () => find(image, 'if-not-present'),
      async ({ id }) => {
        if (tries++ === 0) await docker.getImage(image).remove({ force: true })
        const container = await docker.createContainer({ Image: id, Cmd: ['none'] })
        await container.remove()
        return 'created'
      },
    )
    expect([tries, result]).toEqual([2, 'created'])
    expect(used.text).toContain('Pulling docker image')
  })
})

describe('private registry', () => {
  test('an image is pulled with the credentials of the job', async () => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('group/app:1')
    const { find } = await runner()
    const { text } = await find(image, 'always', authConfigFor([`${registry.host}/group`]))
    expect(text).toContain('Authenticating with credentials from $DOCKER_AUTH_CONFIG')
    expect(text).not.toContain(REGISTRY_USER.password)
  })

  test.each<[string, (host: string) => string | undefined]>([
    ['none', () => undefined],
    ['wrong ones', (host) => authConfigFor([host], { username: 'builder', password: 'guessed' })],
  ])('a job with %s gets an error that says so, and the failure reason', async (_, configFor) => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('app:1')
    const { find } = await runner()
    await expect(find(image, 'always', configFor(registry.host))).rejects.toMatchObject({
      reason: 'runner_configuration_error',
      message: expect.stringMatching(
        /cannot be pulled: .*(no basic auth credentials|unauthorized)/,
      ) as string,
    })
  })

  test('an image pulled by one job is not available under any name to a job without access', async () => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('group/app:1')
    const { find } = await runner()
    const { id } = await find(image, 'always', authConfigFor([registry.host]))
    const refusals = await Promise.allSettled([
      find(image, 'if-not-present'),
      find(image, 'if-not-present', authConfigFor([registry.host], { username: 'a', password: 'b' })),
      find(image, 'never'),
      find(id, 'if-not-present'),
    ])
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ reason: { reason: 'runner_configuration_error' } })
    }
    expect(refusals[2]).toMatchObject({
      reason: { message: expect.stringContaining('is private') as string },
    })
  })

  test('an image pulled by one job is used by another with access, without a second pull', async () => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('app:1')
    const { find } = await runner()
    const authConfig = authConfigFor([registry.host])
    const { id } = await find(image, 'always', authConfig)
    const again = await find(image, 'if-not-present', authConfig)
    expect(again).toMatchObject({ id, text: expect.stringContaining('locally found image') as string })
    expect(again.text).not.toContain('Pulling')
    await registry.stop()
    await expect(find(image, 'if-not-present', authConfig)).rejects.toMatchObject({
      reason: 'runner_external_dependency_failure',
    })
  })

  test('an image that the runner has credentials for is available to all of its jobs, also without the registry', async () => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('app:1')
    const { find } = await runner({ authConfig: authConfigFor([registry.host]) })
    const { id } = await find(image, 'if-not-present')
    await registry.stop()
    expect((await find(image, 'if-not-present')).id).toBe(id)
  })

  test('an image under a second name stays private', async () => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('app:1')
    const { find } = await runner()
    await find(image, 'always', authConfigFor([registry.host]))
    const repo = `${registry.host}/renamed`
    await docker.getImage(image).tag({ repo, tag: '1' })
    await expect(find(`${repo}:1`, 'never')).rejects.toThrow('is private')
  })

  test('jobs with the same credentials share one pull, others wait for their own', async () => {
    const registry = await startRegistry({ withPassword: true })
    const image = await registry.push('app:1')
    const { find } = await runner()
    const authConfig = authConfigFor([registry.host])
    const results = await Promise.allSettled([
      find(image, 'always', authConfig),
      find(image, 'always', authConfig),
      find(image, 'always', authConfig),
      find(image, 'always'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  })
})

import { cp } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { connectEngine } from '../../../src/runner/executor/docker/connect-engine.js'
import { createDockerExecutor } from '../../../src/runner/executor/docker/docker-executor.js'
import type { EngineSettings } from '../../../src/runner/executor/docker/settings.js'
import type { Executor } from '../../../src/runner/executor/executor.js'
import { makeCertificates } from '../../support/certificates.js'
import { tempDir } from '../../support/temp-dir.js'

/** A socket that returns a ping. Returns its address. */
async function startEngine(): Promise<string> {
  const socket = join(await tempDir(), 'engine.sock')
  const server = createServer((_request, response) => response.end('OK'))
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  return `unix://${socket}`
}

function executorFor(engine: EngineSettings): Executor {
  const identity = {
    runnerShortToken: 'abc',
    systemId: 's_1',
    image: 'busybox',
    privateImagesDir: '/nowhere',
  }
  return createDockerExecutor({ ...engine, ...identity }, createLogger('runner', 'silent'))
}

test.each([
  [
    'ssh://-oProxyCommand=id',
    /DOCKER_HOST is ssh:\/\/-oProxyCommand=id, but jobs run on engines at .*ssh:\/\/user@machine/,
  ],
  ['ssh://me:secret@build-7', /DOCKER_HOST is ssh:/],
  ['npipe:////./pipe/docker_engine', /DOCKER_HOST is npipe:.*unix:\/\/\/run\/docker\.sock, tcp:/],
  ['fd://', /DOCKER_HOST is fd:\/\//],
  ['unix://docker.sock', /DOCKER_HOST is unix:\/\/docker\.sock/],
  ['tcp://', /DOCKER_HOST is tcp:\/\//],
])('the address %s is refused instead of being called over plain TCP', (host, expected) => {
  expect(() => connectEngine({}, { DOCKER_HOST: host })).toThrow(expected)
})

test('an engine whose certificates come late is a problem of its registration until they are there', async () => {
  const folder = await makeCertificates()
  const later = join(await tempDir(), 'later')
  const executor = executorFor({ host: 'tcp://127.0.0.1:9', tlsVerify: true, tlsCertPath: later })
  await expect(executor.ping()).rejects.toThrow(/certificates .* cannot be read/)
  await cp(folder, later, { recursive: true })
  await expect(executor.ping()).rejects.toThrow('ECONNREFUSED 127.0.0.1:9')
})

test('DOCKER_HOST does not reach a registration that names its own engine', async () => {
  vi.stubEnv('DOCKER_HOST', 'fd://')
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(executorFor({}).ping()).rejects.toThrow('DOCKER_HOST is fd://')
  const executor = executorFor({ host: await startEngine() })
  await expect(executor.ping()).resolves.toBeUndefined()
})

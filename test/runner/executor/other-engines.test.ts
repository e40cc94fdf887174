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

/** What the engines of Debian 12 response, of which only the names and versions count. */
const PODMAN = [
  { Name: 'Podman Engine', Version: '4.3.1' },
  { Name: 'OCI Runtime (runc)', Version: 'runc version 1.1.5' },
]
const DOCKER = [
  { Name: 'Engine', Version: '20.10.24' },
  { Name: 'containerd', Version: '1.6.20' },
]

type Engine = { components: { Name: string; Version: string }[] }

/** A socket that returns `ping` and `version` as the engine with these components. Returns its address. */
async function startEngine(engine: Engine): Promise<string> {
  const socket = join(await tempDir(), 'engine.sock')
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(url.endsWith('/version') ? JSON.stringify({ Components: engine.components }) : 'OK')
  })
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

test('Podman is refused by name before it fails a job', async () => {
  const executor = executorFor({ host: await startEngine({ components: PODMAN }) })
  await expect(executor.ping()).rejects.toThrow(
    /^The engine is Podman 4\.3\.1, but jobs run on Docker engines only\. .*host under \[runners\.docker\]/,
  )
})

test('once Docker responds at the address of Podman, jobs may run', async () => {
  const engine = { components: PODMAN }
  const executor = executorFor({ host: await startEngine(engine) })
  await expect(executor.ping()).rejects.toThrow('Podman')
  engine.components = DOCKER
  await expect(executor.ping()).resolves.toBeUndefined()
})

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
  const executor = executorFor({ host: await startEngine({ components: DOCKER }) })
  await expect(executor.ping()).resolves.toBeUndefined()
})

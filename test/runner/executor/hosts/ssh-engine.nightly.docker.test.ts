import { writeFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { connectEngine } from '../../../../src/runner/executor/docker/connect-engine.js'
import { untilEngineGone } from '../../../../src/runner/executor/docker/engine.js'
import { MACHINE_ENGINE } from '../../../support/machine-engine.js'
import { canStartEngine, PrivateEngine } from '../../../support/private-engine.js'
import { startSshServer } from '../../../support/ssh-server.js'

test('an engine is reached by ssh, and what keeps ssh from it is reported with the remedy', async () => {
  const [near, empty] = [
    await startSshServer({ dockerHost: MACHINE_ENGINE }),
    await startSshServer({ dockerHost: MACHINE_ENGINE, path: '/nowhere' }),
  ]
  const connect = (host: string, sshKeyFile = near.keyFile) => connectEngine({ host, sshKeyFile }, {})
  const versions = await Promise.all([1, 2, 3].map(() => connect(near.host).version()))
  expect(new Set(versions.map(({ Version }) => Version)).size).toBe(1)
  await expect(connectEngine({}, { DOCKER_HOST: near.host }).ping()).rejects.toThrow('denies the login')
  const noSocket = connect(`${near.host}/run/other.sock`)
  await expect(noSocket.ping()).rejects.toThrow('No Docker engine responds on 127.0.0.1')
  const noDocker = connect(empty.host, empty.keyFile)
  await expect(noDocker.ping()).rejects.toThrow('no docker command (18.09 or later) on 127.0.0.1')
  await writeFile(near.knownHosts, '')
  await expect(connect(near.host).ping()).rejects.toThrow('The host key of 127.0.0.1 is not known')
  await empty.kill()
  await expect(connect(empty.host).ping()).rejects.toThrow('Connection refused')
})

test.skipIf(!canStartEngine)('the end of an engine is noticed without a connection for it', async () => {
  const engine = await PrivateEngine.start()
  const server = await startSshServer({ dockerHost: engine.host })
  const docker = connectEngine({ host: server.host, sshKeyFile: server.keyFile }, {})
  await docker.ping()
  const unused = new AbortController()
  const aborted = untilEngineGone(docker, unused.signal)
  const gone = untilEngineGone(docker, new AbortController().signal)
  unused.abort()
  await aborted
  await engine.kill()
  await gone
})

import { writeFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { connectEngine } from '../../../../src/runner/executor/docker/connect-engine.js'
import { busyboxImage } from '../../../support/docker-image.js'
import { startSshServer } from '../../../support/ssh-server.js'
import { openBench, runScripts } from '../docker-jobs.js'

const LOCAL = 'unix:///var/run/docker.sock'

test('an engine is reached by ssh, by the settings and by DOCKER_HOST', async () => {
  const { host, keyFile } = await startSshServer({ dockerHost: LOCAL })
  const docker = connectEngine({ host, sshKeyFile: keyFile }, {})
  const versions = await Promise.all([1, 2, 3, 4].map(() => docker.version()))
  expect(new Set(versions.map(({ Version }) => Version)).size).toBe(1)
  const bench = await openBench({ image: await busyboxImage(), host, sshKeyFile: keyFile })
  const { exitCodes, text } = await runScripts(bench, ['echo one; exit 3', 'echo two'])
  expect(exitCodes).toEqual([3, 0])
  expect(text).toContain('one\ntwo\n')
  await expect(connectEngine({}, { DOCKER_HOST: host }).ping()).rejects.toThrow('denies the login')
})

test('what keeps ssh from an engine is reported with the remedy', async () => {
  const { host, keyFile, knownHosts } = await startSshServer({ dockerHost: 'unix:///nowhere.sock' })
  const ping = (address: string, sshKeyFile = keyFile) =>
    connectEngine({ host: address, sshKeyFile }, {}).ping()
  await expect(ping(host)).rejects.toThrow('No Docker engine responds on 127.0.0.1')
  await expect(ping(`${host}/run/other.sock`)).rejects.toThrow('No Docker engine responds on 127.0.0.1')
  const bare = await startSshServer({ dockerHost: LOCAL, path: '/nowhere' })
  await expect(ping(bare.host, bare.keyFile)).rejects.toThrow(
    'no docker command (18.09 or later) on 127.0.0.1',
  )
  await writeFile(knownHosts, '')
  const unknown = host.replace('://', '://somebody@').replace(/@.*@/, '@')
  await expect(ping(unknown)).rejects.toThrow('The host key of 127.0.0.1 is not known')
  await bare.kill()
  await expect(ping(bare.host)).rejects.toThrow('Connection refused')
})

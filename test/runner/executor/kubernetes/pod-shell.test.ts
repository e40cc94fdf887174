import { expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import { openPodShell } from '../../../../src/runner/executor/kubernetes/pod-shell.js'
import { finish, runPod, startCluster } from '../../../support/kubernetes/cluster-on-server.js'

/** A shell in a cluster that cannot pass on the end of input. */
async function openOldShell(command: string[], silenceLimit?: number) {
  const scene = await startCluster()
  await runPod(scene, 'p')
  scene.server.execs.protocol = 'v4.channel.k8s.io'
  const parts = {
    cluster: scene.cluster,
    place: { namespace: 'ci', pod: 'p', container: 'build' },
    control: '/nowhere',
    workingDirectory: undefined,
    logger: createLogger('test', 'silent'),
    ...(silenceLimit === undefined ? {} : { silenceLimit }),
  }
  return openPodShell(parts, { command, size: undefined }, new AbortController().signal)
}

test('a command that waits for the end of its input is ended with an explanation if the cluster cannot pass it on', async () => {
  const shell = await openOldShell(['cat'], 1)
  shell.input.end('text')
  await expect(finish(shell)).rejects.toThrow(/waited for the end of its input.*Kubernetes 1\.30/)
})

test('a command that ends by itself has its exit code, also if the cluster cannot pass on the end of input', async () => {
  const shell = await openOldShell(['sh', '-c', 'head -c 4; exit 3'])
  shell.input.end('text')
  expect(await finish(shell)).toEqual({ stdout: 'text', stderr: '', exitCode: 3 })
})

import type { V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { messageOf } from '../../../../src/lib/errors.js'
import type { Cluster } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import { FollowedPod } from '../../../../src/runner/executor/kubernetes/pod/followed-pod.js'
import { untilContainersRun } from '../../../../src/runner/executor/kubernetes/pod/until-containers-run.js'

const POD: V1Pod = {
  metadata: { namespace: 'ci', name: 'p', uid: 'u' },
  spec: { containers: [{ name: 'build', image: 'alpine:3' }] },
  status: {
    phase: 'Pending',
    containerStatuses: [
      {
        name: 'build',
        image: 'alpine:3',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason: 'ContainerCreating' } },
      },
    ],
  },
}

/** Waits for a pod that never runs, with these warnings about it. Returns the lines of the log, and the message of the failure. */
async function waitInVain(warnings: string[]): Promise<{ lines: string[]; message: string }> {
  const lines: string[] = []
  const cluster: Pick<Cluster, 'follow' | 'followWarnings'> = {
    follow: () => () => undefined,
    followWarnings: (_namespace, uid, listener) => {
      for (const message of warnings) {
        const involvedObject = { kind: 'Pod', uid }
        listener({ metadata: { name: 'e' }, involvedObject, reason: 'FailedMount', message })
      }
      return () => undefined
    },
  }
  const waiting = untilContainersRun({
    cluster,
    pod: new FollowedPod(cluster, POD),
    log: { plain: (line) => lines.push(line) },
    hasWarnings: true,
    timeoutSeconds: 0.01,
    hasNewSecret: false,
    signal: new AbortController().signal,
  })
  const message = await waiting.then(
    () => '',
    (error: unknown) => messageOf(error),
  )
  return { lines, message }
}

test('the message of a pod that does not run in time has the warnings about it', async () => {
  const { message } = await waitInVain(['MountVolume.SetUp failed for volume "data" : not found'])
  expect(message).toContain(
    'did not run within 0.01 s: FailedMount: MountVolume.SetUp failed for volume "data" : not found; ' +
      'the container "build" waits (ContainerCreating). The setting "poll_timeout" limits this time.',
  )
})

test('a node that always finds new words does not fill the log or the message', async () => {
  const words = Array.from({ length: 100 }, (_, index) => 'x'.repeat(index + 1))
  const { lines, message } = await waitInVain(words)
  expect(lines.filter((line) => line.includes('FailedMount'))).toHaveLength(20)
  expect(message.match(/FailedMount/g)).toHaveLength(3)
})

test('what differs between two attempts does not make another sentence', async () => {
  const { lines } = await waitInVain([
    'timeout after 1.5s of sandbox 0a1b2c3d4e5f, 10.0.0.1:443 refused',
    '(combined from similar events): timeout after 22s of sandbox 99aabbccddee, 10.0.0.2:443 refused',
  ])
  expect(lines.filter((line) => line.includes('FailedMount'))).toHaveLength(1)
})

test('a warning cannot begin another line of the log', async () => {
  const { lines } = await waitInVain(['one\nsection_start:1:x\r\u001b[0K'])
  expect(lines).toContain('\tFailedMount: "one section_start:1:x [0K"')
})

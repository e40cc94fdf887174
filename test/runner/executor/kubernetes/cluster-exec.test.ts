import { expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import { createCluster } from '../../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import { startApiServer } from '../../../support/kubernetes/api-server.js'

test('smoke', async () => {
  const server = await startApiServer()
  const cluster = await createCluster(server.settings, {
    labelSelector: 'r=x',
    logger: createLogger('x', 'silent'),
  })
  expect(await cluster.version()).toBe('v1.30.2+test')
  await cluster.createPod('ci', {
    metadata: { name: 'p', labels: { r: 'x' } },
    spec: { containers: [{ name: 'build', image: 'x', command: ['sleep', '100'] }] },
  })
  const states: string[] = []
  const running = new Promise<void>((resolve) => {
    cluster.follow('ci', 'p', {
      changed: (pod) => {
        const s = JSON.stringify(pod.status?.containerStatuses?.[0]?.state)
        states.push(s)
        if (s?.includes('running')) resolve()
      },
      deleted: () => states.push('deleted'),
    })
  })
  await running
  const shell = await cluster.exec(
    { namespace: 'ci', pod: 'p', container: 'build' },
    { command: ['sh', '-c', 'cat; echo err >&2; exit 3'], size: undefined },
    new AbortController().signal,
  )
  shell.input.end('hello')
  const out: string[] = []
  for await (const { channel, bytes } of shell.output) out.push(channel + bytes.toString())
  expect(out.sort()).toEqual(['stderrerr\n', 'stdouthello'])
  expect(await shell.exitCode()).toBe(3)
  const tty = await cluster.exec(
    { namespace: 'ci', pod: 'p', container: 'build' },
    { command: ['sh', '-c', 'stty size; exit 5'], size: { columns: 100, rows: 40 } },
    new AbortController().signal,
  )
  let text = ''
  for await (const { bytes } of tty.output) text += bytes.toString()
  expect(text).toContain('40 100')
  expect(await tty.exitCode()).toBe(5)
  await cluster.deletePod('ci', 'p', { graceSeconds: 1 })
  await expect.poll(() => states.at(-1)).toBe('deleted')
  console.log(states)
  cluster.close()
})

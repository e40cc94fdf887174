import { createHash, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import type { ShellRequest } from '../../../../src/runner/executor/executor.js'
import { HEARTBEAT } from '../../../../src/runner/executor/kubernetes/cluster/exec/heartbeat.js'
import {
  type ClusterOnServer,
  finish,
  runPod,
  startCluster,
} from '../../../support/kubernetes/cluster-on-server.js'

const PLACE = { namespace: 'ci', pod: 'p', container: 'build' }
const NEVER = new AbortController().signal

async function clusterWithPod(...options: Parameters<typeof startCluster>): Promise<ClusterOnServer> {
  const scene = await startCluster(...options)
  await runPod(scene, 'p')
  return scene
}

const run = ({ cluster }: ClusterOnServer, script: string, size?: ShellRequest['size'], signal = NEVER) =>
  cluster.exec(PLACE, { command: ['sh', '-c', script], size }, signal)

test('a command gives its output, its errors and its exit code', async () => {
  const scene = await clusterWithPod()
  const shell = await run(scene, 'printf "a\\000b\\377"; echo wrong >&2; exit 3')
  expect(await finish(shell)).toEqual({ stdout: 'a\0b\xff', stderr: 'wrong\n', exitCode: 3 })
  expect(await finish(await run(scene, 'true'))).toMatchObject({ exitCode: 0 })
  expect(await finish(await run(scene, 'kill -9 $$'))).toMatchObject({ exitCode: 137 })
})

test.each([
  ['v5.channel.k8s.io', 2],
  ['v4.channel.k8s.io', 0.5],
] as const)(
  'megabytes go through a command unchanged, also to a slow reader: %s',
  async (protocol, megabytes) => {
    const scene = await clusterWithPod()
    scene.server.execs.protocol = protocol
    const data = randomBytes(megabytes * 1024 * 1024)
    const shell = await run(scene, `head -c ${data.length}`)
    shell.input.write(data)
    const hash = createHash('sha256')
    for await (const { bytes } of shell.output) {
      hash.update(bytes)
      await setImmediate()
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(data).digest('hex'))
    expect(await shell.exitCode()).toBe(0)
  },
)

test('the end of the input reaches the command with v5', async () => {
  const scene = await clusterWithPod()
  const shell = await run(scene, 'cat; echo end')
  shell.input.end('text ')
  expect(await finish(shell)).toEqual({ stdout: 'text end\n', stderr: '', exitCode: 0 })
})

test('with v4, the input of the command stays open', async () => {
  const scene = await clusterWithPod()
  scene.server.execs.protocol = 'v4.channel.k8s.io'
  const shell = await run(scene, 'read -r line; echo "$line"; read -t 0.05 -r more || echo open')
  shell.input.end('text\n')
  expect(await finish(shell)).toMatchObject({ stdout: 'text\nopen\n' })
})

test('a terminal has the size of the request, then the one it gets', async () => {
  const scene = await clusterWithPod()
  const script = 'trap "stty size; exit 4" WINCH; stty size; while :; do sleep 0.01; done'
  const shell = await run(scene, script, { columns: 100, rows: 40 })
  let text = ''
  for await (const { channel, bytes } of shell.output) {
    expect(channel).toBe('stdout')
    // The test's own terminal changes rows and columns one after the other, each with a signal.
    if (text === '') await shell.resize({ columns: 90, rows: 40 })
    text += bytes.toString()
  }
  expect(text.split(/\s+/)).toEqual(['40', '100', '40', '90', ''])
  expect(await shell.exitCode()).toBe(4)
})

test('a connection that ends before the command is an error that names the container', async () => {
  const scene = await clusterWithPod()
  const shell = await run(scene, 'echo begun; exec sleep 1000')
  const output = shell.output[Symbol.asyncIterator]()
  await output.next()
  scene.server.execs.cut()
  expect(await output.next()).toMatchObject({ done: true })
  await expect(shell.exitCode()).rejects.toMatchObject({ name: 'ClusterError', isAway: true })
  await expect(shell.exitCode()).rejects.toThrow(
    /^The connection to a command in the container "build" of the pod "p" .* ended before the command/,
  )
  // A writer is not harmed.
  shell.input.write('text')
  await shell.resize({ columns: 1, rows: 1 })
})

test('a peer that is gone is noticed', async () => {
  const heartbeat = { ...HEARTBEAT, interval: 10, silence: 50 }
  const scene = await clusterWithPod({ heartbeat })
  scene.server.execs.ignoresPings = true
  const shell = await run(scene, 'exec sleep 1000')
  await expect(finish(shell)).rejects.toThrow('ended before the command: nothing was received for')
})

test('the signal ends the connection, also while nobody reads', async () => {
  const scene = await clusterWithPod()
  const controller = new AbortController()
  const shell = await run(scene, 'cat /dev/zero', undefined, controller.signal)
  await expect.poll(() => scene.server.execs.count).toBe(1)
  controller.abort(new Error('canceled'))
  await expect(shell.exitCode()).rejects.toThrow('canceled')
  await expect.poll(() => scene.server.execs.count).toBe(0)
  await expect(run(scene, 'true', undefined, controller.signal)).rejects.toThrow('canceled')
})

test('a command that cannot start says why', async () => {
  const scene = await clusterWithPod()
  const { cluster, server } = scene
  const shell = await cluster.exec(PLACE, { command: ['no-such-program'], size: undefined }, NEVER)
  await expect(finish(shell)).rejects.toThrow('exec: "no-such-program": executable file not found in $PATH')
  const exec = (place: Partial<typeof PLACE>) =>
    cluster.exec({ ...PLACE, ...place }, { command: ['true'], size: undefined }, NEVER)
  await expect(exec({ container: 'x' })).rejects.toMatchObject({
    message: 'container x is not valid for pod p',
    status: 400,
    reason: 'BadRequest',
  })
  await expect(exec({ pod: 'x' })).rejects.toMatchObject({ message: 'pods "x" not found', status: 404 })
  server.misbehaviour.forbid({ namespace: 'ci', verb: 'create', resource: 'pods/exec' })
  await expect(exec({})).rejects.toMatchObject({ status: 403, reason: 'Forbidden' })
})

test('an API server that hangs refuses a command in time', async () => {
  const { cluster, server } = await startCluster({ call: 50 })
  server.goAway('hangs')
  await expect(cluster.exec(PLACE, { command: ['true'], size: undefined }, NEVER)).rejects.toMatchObject({
    message: `The API server at ${server.url} did not respond within 0.05 seconds`,
    isAway: true,
  })
})

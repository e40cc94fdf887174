import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { type ServiceChecks, untilReady } from '../../../src/runner/executor/docker/services/until-ready.js'
import { NEVER } from './docker-jobs.js'

const RUNNING = { exitCode: undefined, health: undefined, address: undefined, ports: [80] }
const UNDECIDED = new Promise<never>(() => {})

function checks(changes: Partial<ServiceChecks>): ServiceChecks {
  return {
    facts: RUNNING,
    exited: UNDECIDED,
    findExitCode: () => Promise.resolve(undefined),
    health: UNDECIDED,
    ended: UNDECIDED,
    dialAddress: undefined,
    probe: () => Promise.resolve(true),
    ...changes,
  }
}

test('a service whose end is reported after its network was refused has failed', async () => {
  let end: (exitCode: number) => void = () => {}
  const exited = new Promise<number>((resolve) => (end = resolve))
  const probe = () => {
    setImmediate(() => end(3))
    return Promise.reject(new Error('cannot get namespace path unless container is running'))
  }
  const readiness = await untilReady(checks({ exited, probe }), NEVER)
  expect(readiness).toEqual({ kind: 'failed', why: 'it ended with exit code 3' })
})

test('a service has failed if its state says that it ended, although no event does', async () => {
  const probe = () => Promise.reject(new Error('no such file'))
  const readiness = await untilReady(checks({ probe, findExitCode: () => Promise.resolve(3) }), NEVER)
  expect(readiness).toEqual({ kind: 'failed', why: 'it ended with exit code 3' })
})

test.each<[number | undefined, object]>([
  [undefined, { kind: 'ready' }],
  [3, { kind: 'failed', why: 'it ended with exit code 3' }],
])('an open port at the address of a service whose exit code is %s', async (exitCode, wanted) => {
  const server = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const facts = { ...RUNNING, ports: [(server.address() as AddressInfo).port] }
  const findExitCode = () => Promise.resolve(exitCode)
  const probe = () => Promise.reject(new Error('not needed'))
  expect(await untilReady(checks({ facts, dialAddress: '127.0.0.1', findExitCode, probe }), NEVER)).toEqual(
    wanted,
  )
})

test('an engine that runs health checks on request is asked, and reports no events', async () => {
  const facts = { ...RUNNING, health: 'starting' }
  const requestHealth = () => Promise.resolve('healthy' as const)
  expect(await untilReady(checks({ facts, requestHealth }), NEVER)).toEqual({ kind: 'ready' })
})

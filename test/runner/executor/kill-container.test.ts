import type { Container, ContainerInspectInfo } from 'dockerode'
import { expect, test } from 'vitest'

import { killContainer } from '../../../src/runner/executor/docker/containers/remove-container-and-volumes.js'

const refusal = (statusCode: number) => Object.assign(new Error('it can only kill'), { statusCode })

/** A container that cannot be killed. */
function container(error: Error, isRunning: boolean): Container {
  const state = { State: { Running: isRunning } } as ContainerInspectInfo
  const methods: Partial<Container> = {
    kill: () => Promise.reject(error),
    inspect: (() => Promise.resolve(state)) as Container['inspect'],
  }
  return methods as Container
}

test('a container that has ended needs no end, however the engine says so', async () => {
  for (const status of [404, 409, 500]) await killContainer(container(refusal(status), false))
})

test('a container that runs and cannot be killed is a failure', async () => {
  await expect(killContainer(container(refusal(500), true))).rejects.toThrow('it can only kill')
  await expect(killContainer(container(new Error('away'), false))).rejects.toThrow('away')
})

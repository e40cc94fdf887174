import type { V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { PullAttempts, PullError } from '../../../../src/runner/executor/kubernetes/pod/pull-attempts.js'

const NOT_FOUND = 'rpc error: code = Unknown desc = manifest for alpine:9 not found: manifest unknown'
const REFUSED = 'dial tcp 10.0.0.1:443: connect: connection refused'
const BACK_OFF = 'Back-off pulling image "alpine:9"'

const state = (reason: string, message: string): V1Pod => ({
  spec: { containers: [{ name: 'build', image: 'alpine:9' }] },
  status: {
    containerStatuses: [
      {
        name: 'build',
        image: 'alpine:9',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason, message } },
      },
    ],
  },
})

/** The error and the number of states until it. */
function recordAll(states: V1Pod[], hasNewSecret = false): { after: number; error: unknown } | undefined {
  let seconds = 0
  const attempts = new PullAttempts(hasNewSecret, () => seconds * 1000)
  for (const [index, each] of states.entries()) {
    seconds += 10
    try {
      attempts.record(each)
    } catch (error) {
      return { after: index + 1, error }
    }
  }
  return undefined
}

const failed = (message: string) => state('ErrImagePull', message)
const pausing = state('ImagePullBackOff', BACK_OFF)

test('an image that does not exist fails at once, with the words of the registry', () => {
  const { after, error } = recordAll([state('ContainerCreating', ''), failed(NOT_FOUND), pausing]) ?? {}
  expect(after).toBe(2)
  expect(error).toBeInstanceOf(PullError)
  expect(error).toMatchObject({
    image: 'alpine:9',
    reason: 'image_pull_failure',
    message: 'The image "alpine:9" cannot be pulled: manifest for alpine:9 not found: manifest unknown',
  })
})

test('an image that may not be pulled fails at once', () => {
  const message = 'Container image "alpine:9" is not present with pull policy of Never'
  expect(recordAll([state('ErrImageNeverPull', message)])).toMatchObject({ after: 1 })
})

test('a registry that is away fails at the third attempt of the node, and the message says after how long', () => {
  const states = [
    failed(REFUSED),
    failed(REFUSED),
    pausing,
    failed(REFUSED),
    pausing,
    pausing,
    failed(REFUSED),
  ]
  expect(recordAll(states)).toMatchObject({
    after: 7,
    error: { message: `The image "alpine:9" cannot be pulled: ${REFUSED} (3 attempts in 60 s)` },
  })
})

test('a registry that comes back is no failure', () => {
  expect(recordAll([failed(REFUSED), pausing, failed(REFUSED), pausing])).toBeUndefined()
})

test('credentials that are created with the pod may miss the first attempt', () => {
  const denied = failed('pull access denied')
  expect(recordAll([denied, pausing], true)).toBeUndefined()
  expect(recordAll([denied, pausing, denied], true)).toMatchObject({ after: 3 })
})

test('after a gap in the watch, the pause of a node counts as a failed attempt if it says why', () => {
  expect(recordAll([pausing, pausing])).toBeUndefined()
  expect(recordAll([pausing, failed(NOT_FOUND)])).toMatchObject({ after: 2 })
  const explained = state('ImagePullBackOff', `${BACK_OFF}: ErrImagePull: ${NOT_FOUND}`)
  expect(recordAll([explained])).toMatchObject({
    after: 1,
    error: {
      message: expect.stringContaining('cannot be pulled: manifest for alpine:9 not found') as string,
    },
  })
})

import { afterEach, beforeEach, expect, test } from 'vitest'

import { HookReceiver, type Received } from '../coordinator/ci/signals/hook-receiver.js'
import { describeOnDatabase } from '../support/databases.js'
import { System } from './support/system.js'

const JOBS = 20
const KILLED_AFTER = 7

/** The subject of a delivery: a job in a status. */
const subjectOf = ({ body }: Received) => `${String(body['build_name'])} ${String(body['build_status'])}`

describeOnDatabase('a coordinator that is killed while it delivers job events', (open) => {
  let system: System

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings, { SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
  })

  afterEach(async () => {
    await system.stop()
  })

  test('delivers each event in the end, each under one idempotency key', async () => {
    const receiver = await HookReceiver.start()
    const project = await system.createProject()
    await system.api.json('POST', `/projects/${project.id}/hooks`, {
      url: receiver.url,
      push_events: false,
      job_events: true,
    })
    // No response arrives before the coordinator is dead: one delivery is in progress, the others wait.
    receiver.respond = (response) => {
      if (receiver.received.length !== KILLED_AFTER) response.end()
    }
    const jobs = Array.from({ length: JOBS }, (_, index) => `job-${index}`)
    await project.pushCi(jobs.map((name) => `${name}: {tags: [nobody], script: [a]}`).join('\n'))
    await receiver.until(KILLED_AFTER)
    await system.killCoordinator()
    await system.startCoordinator()
    const expected = new Set(jobs.flatMap((name) => [`${name} created`, `${name} pending`]))
    const received = await receiver.until(expected.size + 1)
    expect(new Set(received.map(subjectOf))).toEqual(expected)
    const keys = new Set(
      received.map((each) => `${subjectOf(each)} ${String(each.headers['idempotency-key'])}`),
    )
    expect(keys.size).toBe(expected.size)
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(expected.size)
  })
})

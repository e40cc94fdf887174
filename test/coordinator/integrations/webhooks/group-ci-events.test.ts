import { expect, test } from 'vitest'

import { createHook } from '../../../../src/coordinator/integrations/webhooks/hooks.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'

const URL = 'https://hooks.example.com/'
const EVENTS = { push_events: false, job_events: true, pipeline_events: true }

/** `hook trigger status` of the pending deliveries, in their order. */
async function waiting({ database }: CiCoordinator): Promise<string[]> {
  const rows = await database
    .selectFrom('hook_delivery')
    .innerJoin('hook_event', 'hook_event.id', 'hook_delivery.event_id')
    .select(['hook_delivery.hook_id', 'hook_event.trigger', 'hook_event.facts'])
    .orderBy('hook_delivery.id')
    .execute()
  return rows.map(({ hook_id, trigger, facts }) => {
    const { job, pipeline } = facts as { job?: { status: string }; pipeline: { status: string } }
    return `${hook_id} ${trigger} ${(job ?? pipeline).status}`
  })
}

describeOnDatabase('pipelines and jobs', (open) => {
  test('are sent to the hooks of the project and of its group, by their flags', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const { id: projectId, namespace_id: groupId } = coordinator.project
    const own = await createHook(coordinator, { projectId }, { url: URL, ...EVENTS, job_events: false })
    const ofGroup = await createHook(coordinator, { groupId }, { url: URL, ...EVENTS })
    await createHook(coordinator, { groupId }, { url: URL })
    await createHook(coordinator, null, { url: URL, ...EVENTS })
    await pushPipeline(coordinator, 'job: { script: x }')
    expect((await waiting(coordinator)).toSorted()).toEqual(
      [
        `${own.id} pipeline_events pending`,
        `${ofGroup.id} pipeline_events pending`,
        `${ofGroup.id} job_events created`,
        `${ofGroup.id} job_events pending`,
      ].toSorted(),
    )
  })
})

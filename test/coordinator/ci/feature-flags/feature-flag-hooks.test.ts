import { expect, test } from 'vitest'

import { createHook } from '../../../../src/coordinator/integrations/webhooks/hooks.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'
import { EXTERNAL_URL } from '../../support/test-app.js'

const QUIET = { url: 'https://hooks.example.com', push_events: false }

describeOnDatabase('a feature flag', (open) => {
  test('that is turned on or off is sent to the hooks of its project and group, by their flag', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const { app, admin, project, database, deliveries } = coordinator
    const { id: projectId, namespace_id: groupId } = project
    const own = await createHook(coordinator, { projectId }, { ...QUIET, feature_flag_events: true })
    const ofGroup = await createHook(coordinator, { groupId }, { ...QUIET, feature_flag_events: true })
    await createHook(coordinator, { projectId }, { ...QUIET, push_events: true })
    const call = async (route: string, body?: object) => {
      const response = await app.call(
        admin,
        route.replace(' ', ` /projects/${projectId}/feature_flags`),
        body,
      )
      expect(response.statusCode, response.body).toBeLessThan(300)
    }
    await call('POST ', { name: 'menu', description: 'New menu' })
    await call('PUT /menu', { active: true, description: 'The new menu' })
    await call('PUT /menu', { active: false, name: 'main_menu' })
    await call('PUT /main_menu', { active: true })
    await call('DELETE /main_menu')
    const sent = await database
      .selectFrom('hook_delivery')
      .innerJoin('hook_event', 'hook_event.id', 'hook_delivery.event_id')
      .select(['hook_delivery.hook_id', 'hook_event.trigger'])
      .orderBy('hook_delivery.id')
      .execute()
    expect(sent.map(({ hook_id, trigger }) => `${hook_id} ${trigger}`).toSorted()).toEqual(
      [own, own, ofGroup, ofGroup].map(({ id }) => `${id} feature_flag_events`).toSorted(),
    )
    const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
    const [off, on] = await Promise.all(events.map(deliveries.render))
    const attributes = { id: expect.any(Number) as number, name: 'main_menu', description: 'The new menu' }
    expect(off).toEqual({
      object_kind: 'feature_flag',
      project: expect.objectContaining({ id: projectId, path_with_namespace: project.full_path }) as unknown,
      user: expect.objectContaining({ id: admin.id, username: 'root' }) as unknown,
      user_url: `${EXTERNAL_URL}/root`,
      object_attributes: { ...attributes, active: false },
    })
    expect(on).toMatchObject({ object_attributes: { ...attributes, active: true } })
  })
})

import { expect, test } from 'vitest'

import { describeOnEachDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openPlanningScene as buildPlanningScene } from '../../planning/support/planning-scene.js'

const openPlanningScene = sceneForFile(buildPlanningScene)

describeOnEachDatabase('notification settings', (open, testOnOne) => {
  testOnOne(
    'hold in general, in a group or in a project, and have the events of the level custom',
    async () => {
      const { call, ok, person, group, project } = await openPlanningScene(open)
      const ada = await person('ada', `/projects/${project}`, 20)
      const general = { level: 'participating', notification_email: ada.email }
      expect(await ok('GET /notification_settings', undefined, ada)).toEqual(general)
      expect(await ok('PUT /notification_settings', { level: 'watch' }, ada)).toEqual({
        ...general,
        level: 'watch',
      })
      for (const place of [`/projects/${project}`, `/groups/${group}`]) {
        const N = `${place}/notification_settings`
        expect(await ok(`GET ${N}`, undefined, ada)).toEqual({ level: 'global' })
        // Kept for the level custom.
        expect(await ok(`PUT ${N}`, { new_issue: true }, ada)).toEqual({ level: 'global' })
        expect(await ok(`PUT ${N}`, { level: 'custom', failed_pipeline: true }, ada)).toMatchObject({
          level: 'custom',
          events: { new_issue: true, failed_pipeline: true, new_note: false },
        })
        expect(await ok(`PUT ${N}`, { level: 'disabled' }, ada)).toEqual({ level: 'disabled' })
        expect(await ok(`GET ${N}`)).toEqual({ level: 'global' })
        expect(await call(`PUT ${N}`, { level: 'loud' }, ada)).toEqual([
          400,
          { error: 'level does not have a valid value' },
        ])
      }
      expect(await call('PUT /notification_settings', { level: 'global' }, ada)).toEqual([
        400,
        { error: 'level does not have a valid value' },
      ])
    },
  )

  test('are changed by two requests at once', async () => {
    const { call, person, P } = await openPlanningScene(open)
    const ada = await person('ada', P, 20)
    const set = (level: string) => call(`PUT ${P}/notification_settings`, { level }, ada)
    const responses = await Promise.all([set('watch'), set('mention'), set('disabled')])
    expect(responses.map(([status]) => status)).toEqual([200, 200, 200])
  })

  testOnOne('name only addresses that are confirmed, and places that the user sees', async () => {
    const { call, ok, person, root, project } = await openPlanningScene(open)
    const [ada, eve] = [await person('ada'), await person('eve')]
    const other = { email: 'other@example.com' }
    await ok('POST /user/emails', other, ada)
    const refused = [400, { message: { notification_email: ['is not an email you own'] } }]
    const set = { notification_email: other.email }
    expect(await call('PUT /notification_settings', set, ada)).toEqual(refused)
    await ok(`POST /users/${ada.id}/emails`, { email: 'new@example.com', skip_confirmation: true }, root)
    expect(
      await ok('PUT /notification_settings', { notification_email: 'new@example.com' }, ada),
    ).toMatchObject({
      notification_email: 'new@example.com',
    })
    expect(await ok('PUT /notification_settings', { notification_email: '' }, ada)).toMatchObject({
      notification_email: ada.email,
    })
    await ok(`PUT /projects/${project}`, { visibility: 'private' })
    expect((await call(`PUT /projects/${project}/notification_settings`, { level: 'watch' }, eve))[0]).toBe(
      404,
    )
  })
})

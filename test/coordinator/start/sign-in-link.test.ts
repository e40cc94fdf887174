import { expect, test } from 'vitest'

import { createLinkOfAdministrator } from '../../../src/coordinator/start/sign-in-link.js'
import { describeOnDatabase } from '../../support/databases.js'
import { openSignInScene } from '../sessions/scene.js'

describeOnDatabase('a link made on the machine of the server', (open) => {
  test('signs the first active administrator in, or the one that is named', async () => {
    const scene = await openSignInScene({ open })
    const { database } = scene
    const settings = {
      externalUrl: 'http://switchyard.example',
      listen: { host: '127.0.0.1', port: 8929 },
    }
    const { url, user } = await createLinkOfAdministrator(database, settings, undefined)
    expect(user.username).toBe('root')
    const path = url.replace('http://switchyard.example', '')
    const browser = scene.visitor()
    await browser.get(path)
    expect((await browser.submit(path)).statusCode).toBe(303)
    expect(await browser.name()).toBe('root')
    const events = (await scene.call(scene.root, 'GET /audit_events')).body
    expect(events).toContain('Created a sign-in link on the machine of the server')

    expect((await createLinkOfAdministrator(database, settings, 'root')).user.username).toBe('root')
    await expect(createLinkOfAdministrator(database, settings, 'mary')).rejects.toThrow(
      'There is no active administrator with the username mary: leave it out to take the first one',
    )
    await database.updateTable('user').set({ state: 'blocked' }).where('is_admin', '=', true).execute()
    await expect(createLinkOfAdministrator(database, settings, undefined)).rejects.toThrow(
      'There is no active administrator',
    )
    const local = { ...settings, externalUrl: undefined, listen: { host: '::', port: 80 } }
    await database.updateTable('user').set({ state: 'active' }).where('username', '=', 'root').execute()
    expect((await createLinkOfAdministrator(database, local, undefined)).url).toMatch(
      /^http:\/\/127\.0\.0\.1:80\/users\/sign_in\//,
    )
  })
})

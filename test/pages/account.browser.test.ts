import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { GPG_KEY } from '../coordinator/accounts/users/example-keys.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('the pages of the own account', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    return { service, person: await service.addPerson('ada') }
  })
  const open = (page: string, more: { expectedFailures?: RegExp } = {}) =>
    openPage(scene().service, `/-/${page}`, { as: scene().person, ...more })

  it('create a token, show it once, and revoke it', async () => {
    const { page } = await open('user_settings/personal_access_tokens')
    await page.getByRole('cell', { name: 'test' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('laptop')
    await page.getByLabel('read_repository').check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = await page.getByRole('region', { name: 'token' }).innerText()
    expect(secret).toMatch(/^glpat-/)
    const response = await fetch(`${scene().service.url}/api/v4/personal_access_tokens/self`, {
      headers: { 'private-token': secret },
    })
    expect(((await response.json()) as { scopes: string[] }).scopes).toEqual(['read_repository'])
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('list the sessions, and end the others', async () => {
    await open('profile/preferences')
    const { page } = await open('user_settings/active_sessions')
    await page.getByText('this browser').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'End all others' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0)
  })

  it('add an SSH key with the title of its comment, and name what is wrong with one', async () => {
    const { page } = await open('user_settings/ssh_keys', { expectedFailures: /^400 .*\/user\/keys$/ })
    await page.getByText('There is no SSH key yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Add key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Public key').fill('ssh-ed25519 nonsense ada@laptop')
    expect(await dialog.getByLabel('Title').inputValue()).toBe('ada@laptop')
    await dialog.getByRole('button', { name: 'Add key' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog
      .getByLabel('Public key')
      .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mXUIXYXVU5W6rJrgh4Pc8XW9kzkzDqeQcYbEKBV5m ada@laptop')
    await dialog.getByRole('button', { name: 'Add key' }).click()
    await page.getByRole('cell', { name: 'ada@laptop' }).waitFor()
  })

  it('keep the theme, from the first moment of the next page on', async () => {
    const { page } = await open('profile/preferences')
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByLabel('Times', { exact: true }).selectOption('full')
    expect(await looksRight(page)).toEqual([])
    const response = await page.reload()
    expect(await response?.text()).toContain('data-theme="dark"')
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page
      .getByText(/signed in \d+ \w+ \d{4}/)
      .first()
      .waitFor()
  })

  it('open again after the new terms of service are accepted', async () => {
    const { service } = scene()
    const { page } = await open('user_settings/password', { expectedFailures: /^403 / })
    await page.getByLabel('New password again').waitFor()
    await service.json('PUT', '/application/settings', { enforce_terms: true, terms: 'Be *kind*.' })
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('Be kind.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Accept terms' }).click()
    await page.getByText('this browser').waitFor()
    await service.json('PUT', '/application/settings', { enforce_terms: false })
  })

  it('change the password', async () => {
    const { page } = await open('user_settings/password')
    await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('New password again').fill('another')
    await page.getByText('The passwords differ.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel('New password again').fill('correct horse battery')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password was changed.').waitFor()
  })

  testAtNight('change the profile, the status, and what mails are about', async () => {
    const { service, person } = scene()
    const { page } = await open('user_settings/profile')
    await page.getByText('primary').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel('About you').fill('Builds parsers')
    await page.getByRole('button', { name: 'Save changes' }).first().click()
    await page.getByLabel('Message').fill('On holiday')
    await page.getByRole('button', { name: 'Set status' }).click()
    await page.getByText('The status was saved').waitFor()
    const own = (path: string) =>
      fetch(`${service.url}/api/v4${path}`, { headers: { 'private-token': person.token } }).then((response) =>
        response.json(),
      )
    expect(await own('/user')).toMatchObject({ bio: 'Builds parsers' })
    expect(await own('/user/status')).toMatchObject({ message: 'On holiday' })

    await page.getByRole('button', { name: 'Add address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('ada@home.example.com')
    await dialog.getByRole('button', { name: 'Add address' }).click()
    const row = page.getByRole('row').filter({ hasText: 'ada@home.example.com' })
    await row.getByText('not confirmed').waitFor()
    expect(await looksRight(page)).toEqual([])
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete address' }).click()
    await row.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByLabel('Mails about').selectOption('custom')
    await dialog.getByLabel('Passed again').check()
    expect(await looksRight(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await looksRight(page)).toEqual([])
    expect(await own('/notification_settings')).toMatchObject({
      level: 'custom',
      events: { fixed_pipeline: true },
    })
  })

  it.runIf(IS_NIGHTLY)('add a GPG key, and delete it', async () => {
    const { page } = await open('user_settings/gpg_keys')
    await page.getByText('There is no GPG key yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Add key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Public key').fill(GPG_KEY.armored)
    await dialog.getByRole('button', { name: 'Add key' }).click()
    const row = page.getByRole('row').filter({ hasText: /([0-9A-F]{4} ){9}[0-9A-F]{4}/ })
    await row.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('There is no GPG key yet.').waitFor()
  })

  it.runIf(IS_NIGHTLY)(
    'show who asks to be connected from a chat, and connect that account once it is confirmed',
    async () => {
      const { service, person } = scene()
      const project = await service.addProject({ 'README.md': '# App' }, person)
      const path = `/projects/${project.id}/integrations/slack-slash-commands`
      await service.json('PUT', path, { token: 'token-of-the-chat' })
      const body = { token: 'token-of-the-chat', team_id: 'T1', team_domain: 'compilers', user_id: 'U7' }
      const said = { ...body, user_name: 'grace', text: 'help' }
      const asked = await service.json<{ text: string }>('POST', `${path}/trigger`, said)
      const link = /\/-\/(\S+)$/.exec(asked.text)?.[1] ?? ''
      const { page } = await open(link)
      await page.getByText('grace').waitFor()
      await page.getByText('compilers').waitFor()
      expect(await looksRight(page)).toEqual([])
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      const row = page.getByRole('row').filter({ hasText: 'grace' })
      await row.waitFor()
      expect(await page.getByText('Connect a chat account?').count()).toBe(0)
      expect(await looksRight(page)).toEqual([])
      const response = await service.json<{ text: string }>('POST', `${path}/trigger`, said)
      expect(response.text).toContain('Commands:')

      const { page: later } = await open(link, { expectedFailures: /^404 .*\/user\/chat_names\/request/ })
      await later.getByText('This link is no longer valid.').waitFor()
      await row.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
      await page.getByText('No chat account is connected.').waitFor()
    },
  )

  it.runIf(IS_NIGHTLY)('register an application, authorize it, revoke that, and delete it', async () => {
    const { service } = scene()
    const back = `${service.url}/`
    const { page } = await open('user_settings/applications')
    await page.getByText('No application has access to your account.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New application' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Table')
    await dialog.getByLabel('Redirect URIs').fill(back)
    await dialog.getByLabel('read_user').check()
    await dialog.getByRole('button', { name: 'Create application' }).click()
    const client_id = await dialog.getByRole('region', { name: 'client ID' }).innerText()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const own = page.getByRole('table', { name: 'Your applications' }).getByRole('row')
    const choose = async (action: string) => {
      await own.getByRole('button', { name: 'Actions for' }).click()
      await own.getByRole('button', { name: action, exact: true }).click()
    }
    await choose('Edit')
    await dialog.getByLabel('Name').fill('Desk')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await own.filter({ hasText: 'Desk' }).waitFor()
    await choose('Renew secret')
    await dialog.getByRole('button', { name: 'Renew secret' }).click()
    const secret = await dialog.getByRole('region', { name: 'client secret' }).innerText()
    const asked = { client_id, redirect_uri: back, response_type: 'code', scope: 'read_user' }
    await page.goto(`${service.url}/oauth/authorize?${new URLSearchParams(asked).toString()}`)
    await page.getByText('has registered it, not an administrator').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/[?&]code=/)
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(page.url()).searchParams.get('code') ?? '',
      client_id,
      client_secret: secret,
      redirect_uri: back,
    })
    const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', body: form })
    const { access_token: token } = (await response.json()) as { access_token: string }
    const status = async () => {
      const read = await fetch(`${service.url}/api/v4/user`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return read.status
    }
    expect(await status()).toBe(200)
    await page.goto(`${service.url}/-/user_settings/applications`)
    const authorized = page.getByRole('table', { name: 'Authorized applications' }).getByRole('row')
    const row = authorized.filter({ hasText: 'Desk' })
    await row.getByText('read_user').waitFor()
    expect(await looksRight(page)).toEqual([])
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('No application has access to your account.').waitFor()
    expect(await status()).toBe(401)
    await choose('Delete')
    await dialog.getByRole('button', { name: 'Delete application' }).click()
    await page.getByText('You have not registered an application.').waitFor()
  })
})

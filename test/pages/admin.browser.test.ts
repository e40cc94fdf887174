import { text } from 'node:stream/consumers'

import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('the pages of administrators', () => {
  const scene = openForFile(async () => {
    const service = await Service.start({ SWITCHYARD_DELETION_ADJOURNED_PERIOD: '7' })
    const person = await service.addPerson('ada')
    const project = await service.addProject({ '.gitlab-ci.yml': 'test: { script: make }' })
    return { service, person, project }
  })

  it('begin with the state of the instance', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/', { as: service.root })
    await page.getByRole('button', { name: 'Account of' }).click()
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('table', { name: 'Coordinators' }).getByText('running').waitFor()
    await page.getByRole('link', { name: /^1 jobs waiting/ }).waitFor()
    await page.getByRole('table', { name: 'Periodic tasks' }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('create a user, whom a link signs in', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/users', { as: service.root })
    await page.getByRole('link', { name: 'ada' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Grace')
    await page.getByLabel('Username').fill('grace')
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await page.getByRole('button', { name: 'Create user' }).click()
    const link = await page.getByRole('region', { name: 'link' }).innerText()

    const browser = await openPage(service, new URL(link).pathname)
    await browser.page.getByRole('button').click()
    await browser.page.getByRole('button', { name: 'Account of Grace' }).waitFor()
  })

  it.runIf(IS_NIGHTLY)('approve or reject visitors who have signed up', async () => {
    const { service } = scene()
    await service.json('PUT', '/application/settings', { signup_enabled: true })
    for (const name of ['Hedy', 'Ida']) {
      const visitor = await openPage(service, '/users/sign_up')
      await visitor.page.getByLabel('Name', { exact: true }).fill(name)
      await visitor.page.getByLabel('Username').fill(name.toLowerCase())
      await visitor.page.getByLabel('E-mail address').fill(`${name}@example.com`)
      await visitor.page.getByLabel('Password').fill('correct horse battery')
      await visitor.page.getByRole('button', { name: 'Sign up' }).click()
      await visitor.page.getByText('approved your account').waitFor()
    }
    const { page } = await openPage(service, '/admin', { as: service.root })
    await page.getByRole('link', { name: '2 waiting for approval' }).click()
    await page.getByRole('button', { name: 'Approve Hedy' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve Hedy' }).click()
    await page.getByText('Hedy was approved').waitFor()
    await page.getByRole('button', { name: 'Reject Ida' }).click()
    await page.getByRole('button', { name: 'Reject user' }).click()
    await page.getByText('Nobody waits for approval.').waitFor()
  })

  testAtNight('show one account, change it, and block and delete it', async () => {
    const { service } = scene()
    const grete = await service.addPerson('grete')
    const application = { name: 'Desk', redirect_uri: 'https://desk.example/back', scopes: ['read_user'] }
    await service.json('POST', '/user/applications', application, grete)
    const { page } = await openPage(service, '/admin/users', { as: service.root })
    const row = page.getByRole('row').filter({ hasText: '@grete' })
    await row.getByRole('link', { name: 'grete' }).click()
    await page.getByLabel('Note').fill('On leave until May')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('definition').getByText('On leave until May').waitFor()
    await page.getByRole('link', { name: 'Memberships' }).click()
    await page.getByText('The user is a member of no group').waitFor()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('The user is not signed in.').waitFor()
    await page.getByRole('navigation', { name: 'User' }).getByRole('link', { name: 'Applications' }).click()
    await page.getByText('No application has access to the account.').waitFor()
    await page.getByRole('button', { name: 'Actions for Desk' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete application' }).click()
    await page.getByText('The user has not registered an application.').waitFor()
    await page.getByRole('button', { name: 'Actions for grete' }).click()
    await page.getByRole('button', { name: 'Block' }).click()
    await page.getByRole('button', { name: 'Block user' }).click()
    await page.getByText('blocked', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Actions for grete' }).click()
    await page.getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('0 projects and 0 groups').waitFor()
    await page.getByLabel('Type grete to confirm').fill('grete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('grete was deleted').waitFor()
    await row.waitFor({ state: 'detached' })
  })

  it.runIf(IS_NIGHTLY)('create an impersonation token, which acts as the user', async () => {
    const { service, person } = scene()
    const { page } = await openPage(service, `/admin/users/ada?view=tokens`, { as: service.root })
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('look')
    await page.getByLabel('read_api').check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.getByRole('region', { name: 'token' }).innerText()
    expect(await service.json('GET', '/user', undefined, { ...person, token })).toMatchObject({
      username: 'ada',
    })
  })

  testAtNight('register a runner, and see that it has connected', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/runners', { as: service.root })
    await page.getByText('There is no runner yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New runner' }).click()
    await page.getByLabel('Description').fill('linux-7')
    await page.getByRole('button', { name: 'Create runner' }).click()
    const command = await page.getByRole('region', { name: 'command' }).innerText()
    const [, token = ''] = /--token (\S+)/.exec(command) ?? []
    await service.fetch('POST', '/runners/verify', { body: { token } })
    await service.fetch('POST', '/jobs/request', { body: { token, info: {} } })
    await page.getByText('The runner has connected.').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('linux-7').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)(
    'list projects and groups with their sizes, and delete and restore a project',
    async () => {
      const { service, person } = scene()
      await service.json('POST', '/groups', { name: 'Acme', path: 'acme' })
      const second = await service.addProject({ 'a.txt': 'a' }, person)
      const { page } = await openPage(service, '/admin/projects', { as: service.root })
      await page.getByLabel('Order').selectOption('size')
      await page.waitForURL(/sort=size/)
      await page.getByRole('button', { name: `Delete ${second.path}` }).click()
      await page.getByLabel(`Type ${second.path} to confirm`).fill(second.path)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click()
      await page.getByText(`${second.path} will be deleted`).waitFor()
      await page.getByRole('link', { name: 'Marked for deletion' }).click()
      await page.getByRole('columnheader', { name: 'Marked' }).waitFor()
      expect(await looksRight(page)).toEqual([])
      await page.getByRole('button', { name: `Restore ${second.path}` }).click()
      await page.getByText('No project is marked for deletion.').waitFor()
      await page.getByRole('link', { name: 'Groups', exact: true }).click()
      await page.getByRole('link', { name: 'acme', exact: true }).waitFor()
      expect(await looksRight(page)).toEqual([])
    },
  )

  it('list the jobs of all projects, and cancel those that are selected', async () => {
    const { service } = scene()
    const others = await service.addProject({ '.gitlab-ci.yml': 'a: { script: x }\nb: { script: x }' })
    const { page } = await openPage(service, '/admin/jobs', { as: service.root })
    await page.getByRole('link', { name: others.path }).first().waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel(/^Select a #/).check()
    await page.getByLabel(/^Select b #/).check()
    await page.getByRole('button', { name: 'Cancel 2 jobs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 jobs' }).click()
    await page.getByText('2 jobs are canceled').waitFor()
    await page.getByLabel(/^Select a #/).waitFor({ state: 'detached' })
    const jobs = await service.json<{ status: string }[]>('GET', `/projects/${others.id}/jobs`)
    expect(jobs.map(({ status }) => status)).toEqual(['canceled', 'canceled'])
  })

  it.runIf(IS_NIGHTLY)('add a system hook and an application', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/hooks', { as: service.root })
    await page.getByText('There is no webhook yet.').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/hook')
    await page.getByRole('button', { name: 'Add webhook' }).last().click()
    await page.waitForURL(/\/admin\/hooks\/\d+$/)
    await page.getByText('https://example.com/hook').first().waitFor()

    await page.getByRole('link', { name: 'Applications' }).click()
    await page.getByText('There is no application yet.').waitFor()
    await page.getByRole('button', { name: 'New application' }).click()
    await page.getByLabel('Name').fill('Wiki')
    await page.getByLabel('Redirect URIs').fill('https://wiki.example.com/callback')
    await page.getByLabel('openid').check()
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('region', { name: 'client secret' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('table', { name: 'Applications' }).getByText('Wiki', { exact: true }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('find and export audit events', async () => {
    const { service, project } = scene()
    await service.json('PUT', `/projects/${project.id}`, { visibility: 'internal' })
    // The tests before have deleted accounts, which events still name.
    const expectedFailures = /^404 \/api\/v4\/users\/\d+$/
    const { page } = await openPage(service, '/admin/audit_logs', { as: service.root, expectedFailures })
    await page.getByLabel('Who').fill('nobody-here')
    await page.getByText('There is no such user.').waitFor()
    await page.getByText('No event matches.').waitFor()
    await page.getByLabel('Who').fill(service.root.username)
    await page.getByLabel('What is changed').selectOption('Project')
    await page.getByLabel('Path').fill(project.path)
    await page.getByRole('table', { name: 'Audit events' }).getByText('Internal').waitFor()
    expect(await looksRight(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const lines = (await text(await download.createReadStream())).trim().split('\n')
    const events = lines.map((line) => JSON.parse(line) as { author_id: number; entity_id: number })
    expect(new Set(events.map((event) => event.author_id))).toEqual(new Set([service.root.id]))
    expect(new Set(events.map((event) => event.entity_id))).toEqual(new Set([project.id]))
  })

  it('change the settings of the instance, but not those of the configuration', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/application_settings', { as: service.root })
    await page.getByLabel('Prefix of access tokens').fill('sw-')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The settings were saved').waitFor()
    await page.getByRole('link', { name: 'Projects and groups' }).click()
    await page.getByRole('group', { name: 'Only administrators may choose' }).getByLabel('Public').check()
    await page.getByText('Set by deletion_adjourned_period').waitFor()
    expect(await page.getByLabel('Keep deleted projects for').isDisabled()).toBe(true)
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect
      .poll(() => service.json('GET', '/application/settings'))
      .toMatchObject({ personal_access_token_prefix: 'sw-', restricted_visibility_levels: ['public'] })
  })

  it.runIf(IS_NIGHTLY)('show messages to everybody, and describe and merge topics', async () => {
    const { service, person, project } = scene()
    const topics = { topics: ['go', 'golang'] }
    await service.json('PUT', `/projects/${project.id}`, topics, service.root)
    const { page } = await openPage(service, '/admin/broadcast_messages', { as: service.root })
    await page.getByRole('button', { name: 'New message' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Message').fill('Down at **22:00**')
    await dialog.getByLabel('Colors').selectOption('light-red')
    await dialog.getByRole('group', { name: 'Preview' }).getByText('22:00').waitFor()
    expect(await looksRight(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create message' }).click()
    await page.getByText('Shown now').waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('link', { name: 'Topics' }).click()
    await page.getByRole('button', { name: 'Change golang' }).click()
    await page.getByRole('button', { name: 'Merge into another…' }).click()
    await dialog.getByRole('combobox', { name: 'Topic that stays' }).click()
    await dialog.getByRole('option', { name: 'go' }).click()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('link', { name: 'golang' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'go', exact: true }).click()
    await page.getByRole('list', { name: 'Projects' }).getByRole('listitem').first().waitFor()
    expect(await looksRight(page)).toEqual([])

    const reader = await openPage(service, '/explore/projects/topics', { as: person })
    await reader.page.getByText('Down at 22:00').waitFor()
    await reader.page.getByRole('button', { name: 'Close the message' }).click()
    await reader.page.reload()
    await reader.page.getByRole('heading', { name: 'Explore topics' }).waitFor()
    expect(await reader.page.getByText('Down at 22:00').count()).toBe(0)
  })

  it('are for administrators alone', async () => {
    const { service } = scene()
    const stranger = await service.addPerson('stranger')
    const { page } = await openPage(service, '/admin/users', { as: stranger, expectedFailures: /^404 / })
    await page.getByText('There is nothing here that you may see.').waitFor()
  })
})

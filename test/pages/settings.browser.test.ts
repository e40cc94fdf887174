import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)

describe('the settings of a project', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const owner = await service.addPerson('owner')
    const developer = await service.addPerson('developer')
    const project = await service.addProject({ 'README.md': '# App' }, owner)
    const member = { user_id: developer.id, access_level: 30 }
    await service.json('POST', `/projects/${project.id}/members`, member)
    return { service, owner, developer, project }
  })

  it('add variables one by one and from a .env file, and hide their values', async () => {
    const { service, owner, project } = scene()
    await service.json('POST', '/admin/ci/variables', { key: 'PROXY', value: 'http://proxy.example' })
    const { page } = await openPage(service, `/${project.path}/-/settings/ci_cd`, { as: owner })
    await page.getByText('There is no variable yet.').waitFor()
    await page.getByRole('button', { name: 'Add variable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Key').fill('DEPLOY_KEY')
    await dialog.getByLabel('Value').fill('a-secret-of-many-letters')
    await dialog.getByLabel('Visibility').selectOption('masked')
    await dialog.getByLabel('Protected').check()
    await dialog.getByRole('button', { name: 'Add variable' }).click()
    const row = page.getByRole('row').filter({ hasText: 'DEPLOY_KEY' })
    await row.getByText('masked').waitFor()
    expect(await page.getByText('a-secret-of-many-letters').count()).toBe(0)
    await row.getByRole('button', { name: 'Show the value of DEPLOY_KEY' }).click()
    await page.getByText('a-secret-of-many-letters').waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'Edit DEPLOY_KEY' }).click()
    await dialog.getByLabel('Value').fill('two words of text')
    await dialog.getByText('A masked value has no spaces', { exact: false }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const inherited = page.getByRole('table', { name: 'Inherited variables' })
    await inherited.getByRole('row').filter({ hasText: 'PROXY' }).getByText('instance').waitFor()

    await page.getByRole('button', { name: 'Paste .env' }).click()
    await dialog.getByLabel('Lines such as KEY=value').fill('A=1\nB="two"\n')
    await dialog.getByRole('button', { name: 'Add 2 variables' }).click()
    await page.getByRole('row').filter({ hasText: 'B' }).first().waitFor()
    const variables = await service.json<{ key: string; value: string }[]>(
      'GET',
      `/projects/${project.id}/variables`,
    )
    expect(variables.map(({ key, value }) => [key, value])).toEqual(
      expect.arrayContaining([
        ['A', '1'],
        ['B', 'two'],
      ]),
    )
  })

  testAtNight('set up an integration, send a test event, and disable it', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/integrations`, {
      as: owner,
      expectedFailures: /^(400|422) .*\/integrations\/slack(\/test)?$/,
    })
    await page.getByText('No integration is active.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByPlaceholder('Find').fill('sla')
    await page.getByRole('link', { name: 'Slack', exact: true }).click()
    await page.getByLabel('Webhook URL').fill('https://hooks.example.invalid/secret')
    await page.getByLabel('Channel', { exact: true }).fill('#builds')
    await page.getByLabel('Branches').selectOption('protected')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    const events = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Events' }) })
    await events.getByLabel('Wiki pages').uncheck()
    await events.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The settings were saved').first().waitFor()
    const path = `/projects/${project.id}/integrations/slack`
    await expect
      .poll(() => service.json<object>('GET', path))
      .toMatchObject({
        wiki_page_events: false,
        properties: { channel: '#builds', branches_to_be_notified: 'protected' },
      })
    expect(await looksRight(page)).toEqual([])
    // The host does not exist: the response says so.
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page
      .getByRole('region', { name: 'Notices' })
      .getByText(/hooks|connect|resolve|found/i)
      .waitFor()
    await page.getByRole('link', { name: 'All integrations' }).click()
    await page
      .getByRole('table', { name: 'Active integrations' })
      .getByRole('link', { name: 'Slack' })
      .click()
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('No integration is active.').waitFor()
  })

  it('list members with the origin of their roles, groups, invitations and requests', async () => {
    const { service, owner, developer, project } = scene()
    const visitor = await service.addPerson('visitor')
    await service.json('PUT', `/projects/${project.id}`, { visibility: 'internal' }, owner)
    await service.json('POST', `/projects/${project.id}/access_requests`, undefined, visitor)
    const group = { name: 'helpers', path: 'helpers' }
    const { id } = await service.json<{ id: number }>('POST', '/groups', group, owner)
    await service.json('POST', `/groups/${id}/members`, { user_id: developer.id, access_level: 50 })
    const { page } = await openPage(service, `/${project.path}/-/project_members`, { as: owner })
    const dialog = page.getByRole('dialog')
    const row = page.getByRole('row').filter({ hasText: '@developer' })
    await row.getByText('direct').waitFor()
    await page.getByRole('button', { name: 'Change developer' }).click()
    await dialog.getByLabel('Role').selectOption('Reporter')
    await dialog.getByLabel('Expires on').fill('2099-01-31')
    expect(await looksRight(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The membership of developer was changed').waitFor()
    await row.getByText('Reporter', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('visitor is a member').waitFor()
    await page.getByRole('button', { name: 'Invite by e-mail' }).click()
    await dialog.getByLabel('E-mail addresses').fill('nobody@, ada@example.net')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText(/^nobody@: /).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Invite a group' }).click()
    await dialog.getByRole('combobox', { name: 'Group' }).fill('help')
    await dialog.getByRole('option', { name: 'helpers' }).click()
    await dialog.getByLabel('Highest role').selectOption('Maintainer')
    await dialog.getByRole('button', { name: 'Invite group' }).click()
    await row.getByText('invited group helpers, Owner there').waitFor()
    await row.getByText('also Reporter: direct').waitFor()
    expect(await looksRight(page)).toEqual([])
    const groups = page.getByRole('table', { name: 'Groups with access' })
    await groups.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove group' }).click()
    await groups.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Withdraw the invitation of ada@example.net' }).click()
    await page.getByText('The invitation of ada@example.net was withdrawn').waitFor()
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('combobox', { name: 'User' }).fill('root')
    await page.getByRole('option', { name: /@root/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).click()
    await page.getByText('Administrator was added').waitFor()

    await page.setViewportSize({ width: 360, height: 860 })
    expect(await row.getByText('Reporter', { exact: true }).isVisible()).toBe(true)
    const since = row.locator('[data-title="Member since"]')
    await row.getByRole('button', { name: 'Details' }).click()
    await since.waitFor()
    await row.getByRole('button', { name: 'Details' }).click()
    await since.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Invite a group' }).click()
    await page.getByRole('dialog', { name: 'Invite a group' }).waitFor()
  })

  it.runIf(IS_NIGHTLY)('create a token of the project', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/access_tokens`, { as: owner })
    await page.getByText('There is no token.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('bot')
    await page.getByRole('checkbox', { name: 'read_api', exact: true }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('row').filter({ hasText: 'bot' }).getByText('Developer').waitFor()
  })

  it.runIf(IS_NIGHTLY)(
    'add a status check with a secret, which is never shown, and remove the secret',
    async () => {
      const { service, owner, project } = scene()
      const { page } = await openPage(service, `/${project.path}/edit`, { as: owner })
      await page.getByText('There is no status check.').waitFor()
      await page.getByRole('button', { name: 'Add status check' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Licences')
      await dialog.getByLabel('Address of the service').fill('https://checks.example/licences')
      await dialog.getByLabel('Shared secret').fill('a secret of the service')
      await dialog.getByLabel('main', { exact: true }).check()
      expect(await looksRight(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Add status check' }).click()
      const row = page.getByRole('row').filter({ hasText: 'Licences' })
      await row.getByText('signed', { exact: true }).waitFor()
      expect(await looksRight(page)).toEqual([])

      await row.getByRole('button', { name: 'Edit' }).click()
      expect(await dialog.getByLabel('Shared secret').inputValue()).toBe('')
      await dialog.getByLabel('Remove the shared secret').check()
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await row.getByText('not signed').waitFor()
      await row.getByRole('button', { name: 'Remove' }).click()
      await dialog.getByRole('button', { name: 'Remove status check' }).click()
      await page.getByText('There is no status check.').waitFor()
    },
  )

  testAtNight('change its name, features and pipelines, its path, and archive and delete it', async () => {
    const { service, owner } = scene()
    const project = await service.addProject({ 'README.md': '# Tool' }, owner, { name: 'Tool', path: 'tool' })
    const { page } = await openPage(service, `/${project.path}/edit`, { as: owner })
    await page.getByLabel('Description').fill('Parses things')
    await page.getByLabel('Topics').fill('parser, library')
    await page.getByRole('button', { name: 'Save changes' }).first().click()
    await page.getByText('The settings were saved').waitFor()
    await page.getByLabel('Issues', { exact: true }).selectOption('Nobody: switched off')
    await page.getByRole('button', { name: 'Discard' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).nth(1).click()
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    await page.getByLabel('Picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PICTURE })
    await page.getByRole('button', { name: 'Remove' }).waitFor()
    expect(await service.json('GET', `/projects/${project.id}`)).toMatchObject({
      description: 'Parses things',
      topics: ['parser', 'library'],
      issues_access_level: 'disabled',
      avatar_url: expect.stringContaining('a.png') as string,
    })

    await page.getByRole('link', { name: 'CI/CD' }).click()
    await page.getByLabel('Commits that jobs fetch').fill('7')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The settings were saved').last().waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('link', { name: 'General' }).click()
    await page.getByRole('button', { name: 'Change path' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Path').fill('tools')
    await dialog.getByRole('button', { name: 'Change path' }).click()
    await page.waitForURL(/\/tools\/edit$/)
    await page.getByRole('button', { name: 'Archive project' }).click()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Unarchive project' }).waitFor()
    await page.getByText('The project is archived.').waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    const add = page.getByRole('button', { name: 'Add webhook' })
    await add.waitFor()
    expect(await add.isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'General' }).click()
    await page.getByRole('button', { name: 'Delete project' }).click()
    const confirm = dialog.getByRole('button', { name: 'Delete project' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('owner/tools')
    await confirm.click()
    await page.getByText('owner/tools was deleted').waitFor()
    await expect(service.json('GET', `/projects/${project.id}`)).rejects.toThrow('404')
  })

  it.runIf(IS_NIGHTLY)('change a group, and transfer it below another', async () => {
    const { service, owner } = scene()
    const groups: number[] = []
    for (const path of ['platform', 'apps'])
      groups.push((await service.json<{ id: number }>('POST', '/groups', { name: path, path }, owner)).id)
    await service.addProject({ 'a.txt': 'a' }, owner, { name: 'Web', namespace_id: groups[1] })
    const { page } = await openPage(service, '/groups/apps/-/edit', { as: owner })
    await page.getByLabel('Who creates projects').selectOption('Nobody')
    await page.getByLabel('Default branch of new projects').selectOption('Developers push')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).nth(1).click()
    await page.getByText('The settings were saved').waitFor()
    await page.getByRole('button', { name: 'Inherited by 1 project' }).click()
    await page.getByRole('list', { name: 'Projects' }).getByRole('link', { name: 'apps/web' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Transfer group' }).click()
    await page.getByRole('combobox', { name: 'New parent' }).fill('plat')
    await page.getByRole('option', { name: 'platform' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer group' }).click()
    await page.waitForURL(/\/groups\/platform\/apps\/-\/edit$/)
    expect(await service.json('GET', '/groups/platform%2Fapps')).toMatchObject({
      project_creation_level: 'noone',
      default_branch_protection: 1,
    })
  })

  it('say who may see the variables', async () => {
    const { service, developer, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/ci_cd`, { as: developer })
    await page.getByText('Maintainers and above manage the variables of a project.').waitFor()
    expect(await page.getByRole('navigation', { name: 'Settings' }).count()).toBe(0)
  })

  it.runIf(IS_NIGHTLY)('say that the permissions of the user could not be read', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/edit`, {
      as: owner,
      fails: /\/abilities$/,
      expectedFailures: /^500 .*\/abilities$/,
    })
    await page.getByText('This could not be read.').waitFor()
    await page.unroute(/\/abilities$/)
    const name = page.getByLabel('Name', { exact: true })
    // A part of the page that is loaded later reads the permissions too, and the button may be gone by then.
    await page.getByRole('button', { name: 'Try again' }).or(name).first().click()
    await page.getByRole('navigation', { name: 'Settings' }).waitFor()
    await name.waitFor()
  })
})

import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { HookReceiver } from '../coordinator/ci/signals/hook-receiver.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('webhooks', () => {
  const scene = openForFile(async () => {
    const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
    const receiver = await HookReceiver.start()
    const owner = await service.addPerson('owner')
    const group = await service.json<{ id: number }>('POST', '/groups', { name: 'Acme', path: 'acme' }, owner)
    const project = await service.addProject({ 'README.md': '# App' }, owner, { namespace_id: group.id })
    return { service, receiver, owner, project }
  })

  it('that rest are named on the overview of the project and in their list, with the reason and until when', async () => {
    const { service, owner } = scene()
    const project = await service.addProject({ 'README.md': '# App' }, owner)
    const { page } = await openPage(service, `/${project.path}`, { as: owner })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText('get no events').count()).toBe(0)
    const path = `/projects/${project.id}/hooks`
    const hook = await service.json<object>(
      'POST',
      path,
      { url: 'http://hooks.example/a', name: 'Chat' },
      owner,
    )
    const paused = { ...hook, alert_status: 'temporarily_disabled', disabled_until: '2099-01-31T12:00:00Z' }
    await page.route('**/hooks?per_page=*', (route) => route.fulfill({ json: [paused] }))
    await page.reload()
    await page.getByText('A webhook gets no events.').waitFor()
    await page.getByText('The receiver failed or did not respond.').waitFor()
    await page.getByText('Chat: paused, tried again').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Show the webhooks' }).click()
    await page.getByText('its receiver failed; resumes').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('of a project are added, tested, read with their deliveries, changed and deleted', async () => {
    const { service, receiver, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/hooks`, { as: owner })
    await page.getByText('There is no webhook yet.').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/hook`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Chat')
    await page.getByRole('checkbox', { name: 'Pipelines' }).check()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByRole('textbox', { name: 'Name 1' }).fill('X-Key')
    await page.getByRole('textbox', { name: 'Value 1' }).fill('top-secret')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Chat' }).waitFor()
    await page.getByText('Nothing was sent yet.').waitFor()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('button', { name: 'Pushes' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Pushes' })
    await row.getByText('200').waitFor()
    expect(receiver.received.at(-1)?.headers['x-key']).toBe('top-secret')
    await row.getByRole('button', { name: 'Details' }).click()
    await page.getByText('"object_kind": "push"').waitFor()
    expect(await page.getByText('top-secret').count()).toBe(0)
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await row.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('The receiver responded with 200').waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByLabel('Pushes to').selectOption('wildcard')
    await page.getByLabel('Wildcard').fill('release/*')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The webhook was changed').waitFor()
    const [hook] = await service.json<Record<string, unknown>[]>('GET', `/projects/${project.id}/hooks`)
    expect(hook).toMatchObject({
      push_events_branch_filter: 'release/*',
      pipeline_events: true,
      custom_headers: [{ key: 'X-Key' }],
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('There is no webhook yet.').waitFor()
  })

  it.runIf(IS_NIGHTLY)(
    'of a group have the events of groups, and show what is wrong with a URL',
    async () => {
      const { service, owner } = scene()
      const { page } = await openPage(service, '/groups/acme/-/hooks', {
        as: owner,
        expectedFailures: /^422 /,
      })
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByRole('checkbox', { name: 'Subgroups' }).check()
      await page.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com')
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByRole('alert').getByText('Invalid url given').waitFor()
      await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/hook')
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor()
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page
        .getByRole('row')
        .filter({ hasText: 'https://example.com/hook' })
        .getByText('Subgroups')
        .waitFor()
      expect(await looksRight(page)).toEqual([])
    },
  )
})

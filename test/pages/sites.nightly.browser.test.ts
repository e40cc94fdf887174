import { buffer } from 'node:stream/consumers'

import { expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { zipOf } from '../coordinator/support/zip.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const CI_FILE = `
pages: { script: make, artifacts: { expose_as: Manual, paths: [public] } }
broken: { script: make, pages: { publish: none, path_prefix: x } }
`

const FILES = {
  'public/index.html':
    '<!doctype html><title>Manual</title><link rel="stylesheet" href="style.css"><h1>Manual</h1><a href="guide">Guide</a>',
  'public/guide/index.html':
    '<!doctype html><title>Guide</title><link rel="stylesheet" href="../style.css"><h1>Guide</h1>',
  'public/style.css': 'h1 { color: rgb(0, 128, 128) }',
}

const scene = openForFile(async () => {
  const service = await Service.start()
  const runner = await service.addRunner()
  const owner = await service.addPerson('owner')
  const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE }, owner)
  for (let left = 2; left > 0; left -= 1) {
    const job = await runner.takeJob()
    await runner.upload(job, await buffer(await zipOf(FILES)))
    await runner.update(job, 'success')
  }
  return { service, owner, project }
})

it('a private site is opened from the settings, with its parts and links, and deleted there', async () => {
  const { service, owner, project } = scene()
  const { page, context } = await openPage(service, `/${project.path}/-/settings/sites`, { as: owner })
  const address = `${service.url}/-/pages/${project.path}/`
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('heading', { name: 'Published sites' }).waitFor()
      return page.getByRole('link', { name: address }).count()
    })
    .toBe(1)
  await page.getByText('The artifacts have no folder "none".').waitFor()
  expect(await looksRight(page)).toEqual([])
  const [site] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: address }).click(),
  ])
  await site.getByRole('link', { name: 'Guide' }).click()
  await site.getByRole('heading', { name: 'Guide' }).waitFor()
  expect(await site.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe('rgb(0, 128, 128)')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete site' }).click()
  await page.getByText('No site is published.').waitFor()
  expect(await looksRight(page)).toEqual([])
  await page.goto(`${service.url}/${project.path}/-/pipelines/latest?view=graph`)
  const [manual] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Manual' }).click(),
  ])
  await manual.getByRole('heading', { name: 'Manual' }).waitFor()
})

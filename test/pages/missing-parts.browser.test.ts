import type { Route } from 'playwright-core'
import { describe, it } from 'vitest'

import { FIRST_FILES } from '../../src/addresses/first-reads.js'
import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { sampled, variants } from '../support/nightly.js'
import { openPage } from './support/browser.js'
import { MISSING_PARTS } from './support/missing-parts.js'

const REFUSALS: Record<string, { message: string; respond: (route: Route) => Promise<void> }> = {
  'an error of the server': {
    message: 'The disk is on fire.',
    respond: (route) => route.fulfill({ status: 500, json: { message: 'The disk is on fire.' } }),
  },
  'a refusal': {
    message: 'Not any more.',
    respond: (route) => route.fulfill({ status: 403, json: { message: '403 Not any more.' } }),
  },
  'a lost connection': {
    message: 'The server cannot be reached',
    respond: (route) => route.abort('connectionrefused'),
  },
}

const kinds = variants(['an error of the server'], ['a refusal', 'a lost connection'])
const CASES = sampled(MISSING_PARTS, 2).flatMap((part, index) =>
  // Each part is read by the same requests: the other kinds of failures are tried with two of them.
  (index < 2 ? kinds : kinds.slice(0, 1)).map((kind) => ({ ...part, kind })),
)

describe('a page that reads in steps', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const project = await service.addProject({ '.gitlab-ci.yml': 'test: { script: make }', 'README.md': '' })
    const actions = Array.from({ length: FIRST_FILES + 5 }, (_, index) => ({
      action: 'create',
      file_path: `file ${index}.txt`,
      content: `${index}\n`,
    }))
    const P = `/projects/${project.id}`
    await service.json('POST', `${P}/repository/commits`, {
      branch: 'files',
      start_branch: 'main',
      commit_message: 'Add files',
      actions,
    })
    await service.json('POST', `${P}/merge_requests`, {
      title: 'Add files',
      source_branch: 'files',
      target_branch: 'main',
    })
    return { service, project }
  })

  it.each(CASES)(
    'says what is missing after $kind, and reads it again: $what',
    async ({ what, address, fails, before, kind }) => {
      const { service, project } = scene()
      const { message, respond } = REFUSALS[kind]!
      const { page, context } = await openPage(service, '/', {
        as: service.root,
        height: 6000,
        expectedFailures: /^(500|403) /,
      })
      if (before) await context.route(before.url, before.respond)
      await context.route(fails, respond)
      await page.goto(`${service.url}/${project.path}${address}`)
      const alert = page.getByRole('alert').filter({ hasText: `${what} could not be read.` })
      await alert.getByText(message).waitFor()
      await context.unroute(fails)
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.waitFor({ state: 'detached' })
    },
  )
})

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openPostgres } from '../support/databases.js'
import { onFinished } from '../support/lifetime.js'
import { openPage } from './support/browser.js'

/**
 * A reverse proxy on loopback. It sends streams of changes to the last coordinator, and other requests to each in turn.
 * Returns its address.
 */
async function startProxy(coordinators: readonly string[]): Promise<string> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    const isStream = path.startsWith('/api/v4/live?')
    const coordinator = (isStream ? coordinators.at(-1) : coordinators[turn++ % coordinators.length]) ?? ''
    const sent = request(coordinator + path, {
      method: incoming.method,
      headers: incoming.headers,
    })
    sent.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// The streams of two coordinators are tested in test/coordinator/live too, on every run.
test('behind one address, a page of one coordinator follows a job whose runner talks to another one', async () => {
  const { settings } = await openPostgres()
  if (settings.dialect !== 'postgres') throw new Error('Several coordinators need PostgreSQL')
  const service = await Service.start({ SWITCHYARD_DATABASE_URL: settings.url })
  const runner = await service.addRunner()
  const project = await service.addProject({ '.gitlab-ci.yml': 'build: { script: make }' })
  const job = await runner.takeJob()
  const address = await startProxy([service.url, await service.startAnother()])
  const { page } = await openPage(service, '/robots.txt', { as: service.root })

  let sent = 0
  const print = async (text: string) => {
    await runner.patch(job, `${sent}-${sent + Buffer.byteLength(text) - 1}`, text)
    sent += Buffer.byteLength(text)
  }
  await print('before the page\n')
  await page.goto(`${address}/${project.path}/-/jobs/${job.id}`)
  await page.getByText('before the page').waitFor()
  await print('first line\n')
  await page.getByText('first line').waitFor()
  await print('second line\n')
  await page.getByText('second line').waitFor()
  await runner.update(job, 'failed', {
    failure_reason: 'script_failure',
    exit_code: 1,
    output: { bytesize: sent },
  })
  await page.getByRole('heading', { level: 1, name: /failed/ }).waitFor()

  // The page changes something with the token of a session that the other coordinator may have read first.
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await page.waitForURL((url) => !url.pathname.endsWith(`/${job.id}`))
  const again = await runner.takeJob()
  await page.getByRole('heading', { level: 1, name: /running/ }).waitFor()
  await runner.update(again, 'success')
  await page.getByRole('heading', { level: 1, name: /passed/ }).waitFor()
  expect(page.url()).toBe(`${address}/${project.path}/-/jobs/${again.id}`)
})

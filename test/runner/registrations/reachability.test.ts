import { pino } from 'pino'
import { expect, test, vi } from 'vitest'

import { CoordinatorUnreachableError } from '../../../src/runner/client/errors.js'
import { HttpTransport } from '../../../src/runner/client/http-transport.js'
import { proxyFor } from '../../../src/runner/client/proxied-connections.js'
import { responseStatus } from '../../../src/runner/client/response-status.js'
import { jobPayload } from '../../support/job-payload.js'
import { onFinished } from '../../support/lifetime.js'
import { runnerUnderTest } from '../../support/running-runner.js'

test('a lost coordinator is logged once, for requests and jobs alike, and once when it is back', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg)
  const count = (text: string) => lines.filter((line) => line.includes(text)).length
  const cuts = ['cut', 'cut', 'cut'] as const
  const { coordinator } = await runnerUnderTest({
    logger: pino({ level: 'info' }, { write }),
    settings: { concurrent: 2 },
    prepare: async (coordinator) => coordinator.misbehave('request', ...cuts),
  })
  await coordinator.until(() => coordinator.openRequests === 1)
  expect([count('cannot be reached'), count('can be reached again')]).toEqual([1, 1])

  coordinator.offer(jobPayload({ steps: [{ name: 'script', script: ['echo begun; sleep 0.3; echo end'] }] }))
  await coordinator.until(() => coordinator.trace(124).includes('begun') && coordinator.openRequests === 1)
  coordinator.misbehave('trace', ...cuts)
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect([count('cannot be reached'), count('can be reached again')]).toEqual([2, 2])
  expect(count('could not be sent') + count('request for a job failed')).toBe(0)
})

test('the error of a dead proxy names the proxy, without its password', async () => {
  onFinished(() => vi.unstubAllEnvs())
  vi.stubEnv('http_proxy', 'http://user:secret@127.0.0.1:1')
  vi.stubEnv('no_proxy', '')
  const transport = new HttpTransport('http://ci.example.com')
  onFinished(() => transport.destroy())
  const error: unknown = await transport
    .send({ method: 'GET', path: 'version' })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CoordinatorUnreachableError)
  expect(String(error)).toContain(
    'The coordinator at http://ci.example.com cannot be reached through the proxy http://127.0.0.1:1: ',
  )
  expect(String(error)).not.toContain('secret')
})

test.each([
  ['http://a.example.com', { http_proxy: 'http://p:3128' }, 'http://p:3128'],
  ['https://a.example.com', { http_proxy: 'http://p:3128' }, 'http://p:3128'],
  ['https://a.example.com', { HTTP_PROXY: 'http://p:3128', HTTPS_PROXY: 'http://q:1' }, 'http://q:1'],
  ['http://a.example.com', { http_proxy: 'http://p:3128', no_proxy: 'x,.example.com' }, undefined],
  ['http://a.example.com', { http_proxy: 'http://p:3128', NO_PROXY: '*' }, undefined],
  ['http://a.example.com', { http_proxy: 'http://p:3128', no_proxy: 'example.com:8080' }, 'http://p:3128'],
  ['http://a.example.com', {}, undefined],
])('the proxy for %s under %j is %s', (url, environment, proxy) => {
  expect(proxyFor(new URL(url), environment)).toBe(proxy)
})

test('the status of a response is a number with its name, or none', () => {
  expect([404, 799, undefined].map(responseStatus)).toEqual(['404 Not Found', '799', 'none'])
})

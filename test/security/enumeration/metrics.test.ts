import { expect, test } from 'vitest'

import { openApp } from '../../coordinator/support/test-app.js'
import { openSqlite } from '../../support/databases.js'

async function statusFor(
  remoteAddress: string,
  more: Parameters<typeof openApp>[2] = {},
  headers: Record<string, string> = {},
): Promise<number> {
  const { app } = openApp((await openSqlite()).database, [], more)
  return (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
}

test.each([
  ['127.0.0.1', 200],
  ['::1', 200],
  ['::ffff:127.0.0.1', 200],
  ['192.0.2.7', 403],
  ['10.0.0.1', 403],
  ['2001:db8::1', 403],
])('metrics are for this machine alone: %s gets %i', async (address, status) => {
  expect(await statusFor(address)).toBe(status)
})

test('metrics are refused to whom a proxy asks for that the settings do not name', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    expect(await statusFor('127.0.0.1', {}, { [name]: '127.0.0.1' })).toBe(403)
  }
})

test('metrics are for the addresses of the settings, behind a proxy that the settings name too', async () => {
  const metricsAddresses = ['192.0.2.0/24', '2001:db8::1']
  expect(await statusFor('192.0.2.7', { metricsAddresses })).toBe(200)
  expect(await statusFor('2001:db8::1', { metricsAddresses })).toBe(200)
  expect(await statusFor('127.0.0.1', { metricsAddresses })).toBe(403)
  const proxied = { metricsAddresses, trustedProxies: ['127.0.0.1'] }
  expect(await statusFor('127.0.0.1', proxied, { 'x-forwarded-for': '192.0.2.7' })).toBe(200)
  expect(await statusFor('127.0.0.1', proxied, { 'x-forwarded-for': '198.51.100.7' })).toBe(403)
})

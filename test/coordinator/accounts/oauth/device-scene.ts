import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import type { DeviceResponse } from '../../../../src/coordinator/accounts/oauth/device/request-device.js'
import { type Form, type OauthApp, PASSWORD, shown } from './oauth-app.js'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const MARY = { username: 'mary', password: PASSWORD }

/** A device requests authorization. */
export async function ask(
  app: OauthApp,
  form: Form = {},
  client: NewApplication = app.phone,
): Promise<DeviceResponse> {
  const response = await app.post('/oauth/authorize_device', { ...shown(client), ...form })
  expect(response.statusCode).toBe(200)
  return response.json<DeviceResponse>()
}

/** It asks for its tokens. */
export function poll(
  app: OauthApp,
  { device_code }: DeviceResponse,
  client: NewApplication = app.phone,
): Promise<LightMyRequestResponse> {
  return app.asClient(client, { grant_type: DEVICE_GRANT, device_code })
}

/** The response to its next request, five seconds after the last. */
export async function pollLater(
  app: OauthApp,
  device: DeviceResponse,
  client: NewApplication = app.phone,
): Promise<unknown> {
  await letTimePass(app)
  return errorOf(await poll(app, device, client))
}

export function errorOf(response: LightMyRequestResponse): unknown {
  return response.json<{ error?: string }>().error
}

export async function letTimePass({ database }: OauthApp): Promise<void> {
  await database
    .updateTable('oauth_device_request')
    .set(({ eb }) => ({
      polled_by_body_at: eb('polled_by_body_at', '-', 5000),
      polled_by_header_at: eb('polled_by_header_at', '-', 5000),
    }))
    .execute()
}

/** Somebody types the code, and decides if the form says so. */
export function type(app: OauthApp, { user_code }: DeviceResponse, form: Form = {}) {
  return app.post('/oauth/device', { user_code, ...form })
}

export function allow(app: OauthApp, device: DeviceResponse, form: Form = {}) {
  return type(app, device, { ...MARY, decision: 'allow', ...form })
}

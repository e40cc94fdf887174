import type { FastifyRequest } from 'fastify'

import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { unauthorized } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { isClientToken } from './client-token.js'
import { presentForUnleash } from './present.js'
import { UnleashCall, UnleashFeatures } from './schema.js'
import { flagsOf } from './store.js'

interface UnleashDeps {
  database: Database
  secrets: SecretBox
}

/** What the SDKs of Unleash call. The name of an application is that of the environment in which it runs. */
export function unleashOperations(deps: UnleashDeps): Operation[] {
  return [
    operation('GET /feature_flags/unleash/:project_id', {
      summary: 'Check the token of an Unleash client',
      access: 'anyone',
      params: UnleashCall,
      responses: { 200: NoBody },
      run: (call) => accepted(deps, call),
    }),
    operation('GET /feature_flags/unleash/:project_id/features', {
      summary: 'List feature flags for an Unleash client (deprecated form)',
      access: 'anyone',
      params: UnleashCall,
      responses: { 200: UnleashFeatures },
      run: (call) => features(deps, call),
    }),
    operation('GET /feature_flags/unleash/:project_id/client/features', {
      summary: 'List feature flags for an Unleash client',
      access: 'anyone',
      params: UnleashCall,
      responses: { 200: UnleashFeatures },
      run: (call) => features(deps, call),
    }),
    operation('POST /feature_flags/unleash/:project_id/client/register', {
      summary: 'Register an Unleash client; nothing is stored',
      access: 'anyone',
      params: UnleashCall,
      responses: { 200: NoBody },
      changesNothing: true,
      run: (call) => accepted(deps, call),
    }),
    operation('POST /feature_flags/unleash/:project_id/client/metrics', {
      summary: 'Take the metrics of an Unleash client; nothing is stored',
      access: 'anyone',
      params: UnleashCall,
      responses: { 200: NoBody },
      changesNothing: true,
      run: (call) => accepted(deps, call),
    }),
  ]
}

interface Call {
  params: UnleashCallParams
  request: FastifyRequest
}

interface UnleashCallParams {
  project_id: number
  instance_id?: string
  app_name?: string
}

async function accepted(deps: UnleashDeps, call: Call) {
  await checkToken(deps, call)
  return respond(200)
}

async function features(deps: UnleashDeps, call: Call) {
  await checkToken(deps, call)
  const rows = await flagsOf(deps.database, call.params.project_id).selectAll().orderBy('name').execute()
  return presentForUnleash(deps.database, rows, given(call, 'unleash-appname', call.params.app_name))
}

/** Throws 401, also for a project that does not exist. */
async function checkToken(deps: UnleashDeps, call: Call): Promise<void> {
  const token = given(call, 'unleash-instanceid', call.params.instance_id)
  const isKnown = token !== undefined && (await isClientToken(deps, call.params.project_id, token))
  if (!isKnown) throw unauthorized()
}

function given({ request }: Call, header: string, parameter: string | undefined): string | undefined {
  const value = request.headers[header]
  return typeof value === 'string' ? value : parameter
}

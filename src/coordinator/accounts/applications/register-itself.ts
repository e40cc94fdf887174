import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

import { type ApiErrorCode, apiErrorMessage } from '../../../error-catalogue/api-errors.js'
import { isRecord } from '../../../lib/is-record.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { IDENTITY_SCOPES } from '../../http/authentication/scopes.js'
import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { sendPreflight } from '../../http/cors.js'
import { ApiError } from '../../http/errors.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import type { UploadSpool } from '../../http/parameters/upload-spool.js'
import { subjectOfAddress } from '../../http/rate-limits/address-subject.js'
import { CallLimit } from '../../http/rate-limits/call-limit.js'
import { sendJson } from '../../http/send.js'
import { createApplication } from './applications.js'
import { problemOfRedirectUri } from './redirect-uri.js'
import { countDynamicApplications } from './store.js'

const REGISTRATION_PATH = '/oauth/register'

/** Maximum size of a request body, in bytes. */
const BODY_LIMIT = 64 * 1024
/** Maximum number of values in a list of the metadata. */
const MAX_VALUES = 20
/** Maximum number of registrations per hour and IP address. */
const MAX_PER_HOUR = 20
/** Maximum number of applications that have registered themselves and are in use, or are new. */
const MAX_APPLICATIONS = 10_000

/** Scopes that such an application may request: not those that administer the instance, its runners or tokens. */
const SCOPES = [
  ...IDENTITY_SCOPES,
  ...(['read_user', 'read_api', 'api', 'mcp', 'read_repository', 'write_repository'] as const),
  ...(['read_registry', 'write_registry'] as const),
]
/** Without a `scope`. */
const DEFAULT_SCOPES = [...IDENTITY_SCOPES, 'read_user']

const GRANT_TYPES = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** RFC 7591, 2; other members are ignored. */
const Metadata = Type.Object({
  redirect_uris: Type.Array(Type.String({ maxLength: 2000 }), { minItems: 1 }),
  client_name: Type.Optional(Type.String({ maxLength: 255 })),
  scope: Type.Optional(Type.String({ maxLength: 1000 })),
  token_endpoint_auth_method: Type.Optional(Type.String()),
  grant_types: Type.Optional(Type.Array(Type.String())),
  response_types: Type.Optional(Type.Array(Type.String())),
})
type Metadata = Static<typeof Metadata>

/** Programs register themselves as OAuth applications (RFC 7591). Such an application is deleted a day after its last grant. */
export function dynamicRegistrationRoutes({
  database,
  spool,
}: {
  database: Database
  spool: UploadSpool
}): (app: FastifyInstance) => void {
  const calls = new CallLimit(MAX_PER_HOUR, 3_600_000)
  return (app) => {
    parseParameterBodies(app, spool)
    limitBodyTime(app, BODY_SECONDS)
    app.post(REGISTRATION_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      calls.take(subjectOfAddress(request.ip))
      const registered = await register(database, request.body)
      return sendJson(reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }), 201, registered)
    })
    app.options(REGISTRATION_PATH, sendPreflight)
  }
}

async function register(database: Database, body: unknown) {
  const { user_oauth_applications: isAllowed } = await effectiveSettings(database, 'user_oauth_applications')
  if (!isAllowed)
    throw refusal(
      'dynamic_registration_disabled',
      apiErrorMessage('dynamic_registration_disabled'),
      'access_denied',
    )
  if ((await countDynamicApplications(database)) >= MAX_APPLICATIONS) {
    throw refusal(
      'dynamic_registration_limit',
      apiErrorMessage('dynamic_registration_limit'),
      'temporarily_unavailable',
    )
  }
  const metadata = readMetadata(body)
  const {
    redirect_uris,
    client_name = 'Application',
    token_endpoint_auth_method: method = 'client_secret_basic',
  } = metadata
  const scopes = scopesOf(metadata)
  const grantTypes = grantTypesOf(metadata)
  const isPublic = method === 'none'
  const { application_id, secret } = await createApplication(
    database,
    { name: client_name, redirect_uri: redirect_uris.join('\n'), scopes, confidential: !isPublic },
    { dynamic: true },
  )
  return {
    client_id: application_id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    ...(!isPublic && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name,
    redirect_uris,
    scope: scopes.join(' '),
    token_endpoint_auth_method: method,
    grant_types: grantTypes,
    response_types: ['code'],
  }
}

function readMetadata(body: unknown): Metadata {
  const given: unknown = body
  requireShortLists(given)
  const [wrong] = Value.Errors(Metadata, given)
  if (wrong) {
    const name = /\w+/.exec(wrong.instancePath)?.[0] ?? 'redirect_uris'
    const error = name === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw refusal(error, `${name} ${wrong.message}.`)
  }
  const metadata = given as Metadata
  const { redirect_uris, token_endpoint_auth_method: method, response_types } = metadata
  for (const uri of redirect_uris) {
    const problem = /\s/.test(uri) ? 'must be a valid URI.' : problemOfRedirectUri(uri)
    if (problem !== undefined) throw refusal('invalid_redirect_uri', `The redirect URI ${uri} ${problem}`)
  }
  if (method !== undefined && !AUTH_METHODS.includes(method)) {
    throw invalidMetadata(`token_endpoint_auth_method must be one of: ${AUTH_METHODS.join(', ')}.`)
  }
  if (response_types && !response_types.includes('code'))
    throw invalidMetadata('response_types must contain code.')
  return metadata
}

/** Throws 400 before the values are checked one by one, which takes a tenth of a second for those of a whole body. */
function requireShortLists(given: unknown): void {
  if (!isRecord(given)) return
  for (const name of Object.keys(Metadata.properties)) {
    const value = given[name]
    if (!Array.isArray(value) || value.length <= MAX_VALUES) continue
    const error = name === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw refusal(error, `${name} must have at most ${MAX_VALUES} values.`)
  }
}

/** The grant types that it asks for and may have. */
function grantTypesOf({ grant_types }: Metadata): string[] {
  if (!grant_types) return ['authorization_code', 'refresh_token']
  const known = GRANT_TYPES.filter((type) => grant_types.includes(type))
  if (known.length === 0) throw invalidMetadata(`grant_types must contain one of: ${GRANT_TYPES.join(', ')}.`)
  return known
}

function scopesOf({ scope }: Metadata): string[] {
  const scopes = scope?.split(' ').filter((name) => name !== '') ?? DEFAULT_SCOPES
  const refused = scopes.find((name) => !SCOPES.some((known) => known === name))
  if (scopes.length === 0 || refused !== undefined) {
    throw invalidMetadata(`scope ${refused ?? ''} is not one of: ${SCOPES.join(', ')}.`)
  }
  return [...new Set(scopes)]
}

function invalidMetadata(description: string): ApiError {
  return refusal('invalid_client_metadata', description)
}

/** `error`: the code of RFC 7591, 3.2.2, where that of the catalogue is another one. */
function refusal(code: ApiErrorCode, description: string, error: string = code): ApiError {
  return new ApiError(code, { error, error_description: description })
}

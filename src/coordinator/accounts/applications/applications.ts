import { randomBytes } from 'node:crypto'

import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { IDENTITY_SCOPES, SCOPES } from '../../http/authentication/scopes.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { problemOfRedirectUri, readRedirectUris } from './redirect-uri.js'
import type { Application, ChangeApplication, CreateApplication, NewApplication } from './schema.js'
import {
  type ApplicationRow,
  countApplicationsOf,
  findApplication,
  insertApplication,
  type OwnedId,
  type Owner,
  updateApplication,
} from './store.js'

const SECRET_PREFIX = 'gloas-'
const KNOWN = new Set<string>([...SCOPES, ...IDENTITY_SCOPES])

/** Most applications of a user. */
const MOST = 100

/**
 * Creates an application and returns its secret in clear text, which is not stored. Throws 400 for invalid
 * redirect URIs and scopes. `owner` is the user who registers it; null for one of the
 * instance, or with `dynamic` for one that registers itself.
 */
export async function createApplication(
  database: Database,
  { name, redirect_uri, scopes, confidential = true }: CreateApplication,
  { owner = null, dynamic = false }: { owner?: Owner; dynamic?: boolean } = {},
): Promise<NewApplication> {
  const secret = newToken(SECRET_PREFIX)
  const row = await insertApplication(database, {
    uid: randomBytes(32).toString('hex'),
    secret_digest: tokenDigest(secret),
    name,
    confidential,
    ...addressesAndScopes({ redirect_uri, scopes }),
    owner_id: owner,
    dynamic,
    created_at: Date.now(),
  })
  return { ...presentApplication(row), secret }
}

/** Like `createApplication`, for a user. Throws 403 if the instance lets users register none, or no more. */
export async function registerApplication(
  database: Database,
  owner: number,
  wanted: CreateApplication,
): Promise<NewApplication> {
  const { user_oauth_applications: isAllowed } = await effectiveSettings(database, 'user_oauth_applications')
  if (!isAllowed) throw apiError('applications_not_allowed')
  if ((await countApplicationsOf(database, owner)) >= MOST) {
    throw apiError('application_limit_reached', { max: MOST })
  }
  return createApplication(database, wanted, { owner })
}

/** Tokens that were issued before keep their scopes. Throws 404, and 400 like `createApplication`. */
export async function changeApplication(
  database: Database,
  owned: OwnedId,
  { name, redirect_uri, scopes, confidential }: ChangeApplication,
): Promise<Application> {
  const known = await existingApplication(database, owned)
  const row = await updateApplication(database, owned, {
    name: name ?? known.name,
    confidential: confidential ?? known.confidential,
    ...addressesAndScopes({
      redirect_uri: redirect_uri ?? known.redirect_uris.join('\n'),
      scopes: scopes ?? known.scopes,
    }),
  })
  if (!row) throw notFound('Application')
  return presentApplication(row)
}

/** Replaces the secret, which is invalid at once; tokens stay valid. Throws 404. */
export async function renewSecret(database: Database, owned: OwnedId): Promise<NewApplication> {
  const secret = newToken(SECRET_PREFIX)
  const row = await updateApplication(database, owned, { secret_digest: tokenDigest(secret) })
  if (!row) throw notFound('Application')
  return { ...presentApplication(row), secret }
}

/** Throws 404. */
export async function existingApplication(database: Database, owned: OwnedId): Promise<ApplicationRow> {
  const row = await findApplication(database, owned)
  if (!row) throw notFound('Application')
  return row
}

export function presentApplication(row: ApplicationRow): Application {
  const { id, uid, name, redirect_uris, confidential, scopes } = row
  return {
    id,
    application_id: uid,
    application_name: name,
    callback_url: redirect_uris.join('\n'),
    confidential,
    scopes,
  }
}

function addressesAndScopes({ redirect_uri, scopes }: Pick<CreateApplication, 'redirect_uri' | 'scopes'>) {
  const redirectUris = readRedirectUris(redirect_uri)
  const wanted = readScopes(scopes)
  refuseProblems({ redirect_uri: problemsOfUris(redirectUris), scopes: problemsOfScopes(wanted) })
  return { redirect_uris: JSON.stringify(redirectUris), scopes: JSON.stringify(wanted) }
}

/** Clients send a list, or one text with blanks. */
function readScopes(given: string[]): string[] {
  const scopes = given.flatMap((each) => each.split(/\s+/))
  return [...new Set(scopes.filter((scope) => scope !== ''))]
}

function problemsOfUris(uris: string[]): string[] {
  if (uris.length === 0) return ["can't be blank"]
  return [...new Set(uris.map(problemOfRedirectUri).filter((problem) => problem !== undefined))]
}

function problemsOfScopes(scopes: string[]): string[] {
  if (scopes.length === 0) return ["can't be blank"]
  return scopes.every((scope) => KNOWN.has(scope)) ? [] : ["doesn't match configured on the server."]
}

function refuseProblems(problems: Record<string, string[]>): void {
  const found = Object.entries(problems).filter(([, sentences]) => sentences.length > 0)
  if (found.length > 0) throw invalidRecord(Object.fromEntries(found))
}

import { randomBytes } from 'node:crypto'

import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { IDENTITY_SCOPES, SCOPES } from '../../http/authentication/scopes.js'
import { invalidRecord } from '../../http/errors.js'
import { problemOfRedirectUri, readRedirectUris } from './redirect-uri.js'
import type { Application, CreateApplication, NewApplication } from './schema.js'
import { type ApplicationRow, insertApplication } from './store.js'

const SECRET_PREFIX = 'gloas-'
const KNOWN = new Set<string>([...SCOPES, ...IDENTITY_SCOPES])

/**
 * Creates an application and returns its secret in clear text, which is not stored. Throws 400 for invalid
 * redirect URIs and scopes.
 */
export async function createApplication(
  database: Database,
  { name, redirect_uri, scopes, confidential = true }: CreateApplication,
): Promise<NewApplication> {
  const redirectUris = readRedirectUris(redirect_uri)
  const wanted = readScopes(scopes)
  refuseProblems({ redirect_uri: problemsOfUris(redirectUris), scopes: problemsOfScopes(wanted) })
  const secret = newToken(SECRET_PREFIX)
  const row = await insertApplication(database, {
    uid: randomBytes(32).toString('hex'),
    secret_digest: tokenDigest(secret),
    name,
    confidential,
    redirect_uris: JSON.stringify(redirectUris),
    scopes: JSON.stringify(wanted),
    created_at: Date.now(),
  })
  return { ...presentApplication(row), secret }
}

export function presentApplication(row: ApplicationRow): Application {
  const { id, uid, name, redirect_uris, confidential } = row
  return {
    id,
    application_id: uid,
    application_name: name,
    callback_url: redirect_uris.join('\n'),
    confidential,
  }
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

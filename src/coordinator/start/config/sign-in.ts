import { readFileSync } from 'node:fs'

import { messageOf } from '../../../lib/errors.js'
import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type {
  GroupGrant,
  OpenIdSettings,
  ProviderRules,
  ProviderSettings,
  SignInSettings,
} from '../../sessions/providers/provider-settings.js'
import { readFlag, readText } from './readers.js'
import type { ReadSetting, SettingSources } from './setting-sources.js'

const TABLE = 'sign_in.providers'

/** Names are parts of addresses and of environment variables. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/

/** `[sign_in]`, with a table for each identity provider. */
export function readSignIn(sources: SettingSources): SignInSettings {
  const isAutomatic = sources.read('sign_in.auto_sign_in', readFlag, false)
  const names = sources.tablesIn(TABLE)
  const providers = names.flatMap((name) => readProvider(sources, name) ?? [])
  if (isAutomatic && names.length !== 1) {
    sources.refuse(
      `sign_in.auto_sign_in: needs exactly one table [${TABLE}.<name>]; there are ${names.length}`,
    )
  }
  return { isAutomatic, providers }
}

function readProvider(sources: SettingSources, name: string): ProviderSettings | undefined {
  const table = `${TABLE}.${name}`
  if (!NAME.test(name)) {
    sources.refuse(
      `${table}: the name must have at most 63 lower-case letters, digits and "_", and begin with a letter`,
    )
  }
  const kind = required(sources, `${table}.kind`, readKind, '"openid"')
  const provider = readOpenId(sources, table, name)
  return kind === undefined ? undefined : provider
}

function readOpenId(sources: SettingSources, table: string, name: string): OpenIdSettings | undefined {
  const issuer = required(sources, `${table}.issuer`, readIssuer, 'the address of the provider')
  const clientId = required(sources, `${table}.client_id`, readText, 'the ID that the provider has given')
  const settings = {
    kind: 'openid' as const,
    name,
    label: sources.read(`${table}.label`, readText, name),
    clientSecret: readSecret(sources, table),
    scopes: sources.read(`${table}.scopes`, readScopes, ['openid', 'profile', 'email']),
    claims: {
      username: sources.read(`${table}.username_claim`, readText, 'preferred_username'),
      name: sources.read(`${table}.name_claim`, readText, 'name'),
      email: sources.read(`${table}.email_claim`, readText, 'email'),
      groups: sources.read(`${table}.groups_claim`, readText, 'groups'),
    },
    rules: readRules(sources, table),
  }
  return issuer === undefined || clientId === undefined ? undefined : { ...settings, issuer, clientId }
}

function readRules(sources: SettingSources, table: string): ProviderRules {
  return {
    allowedDomains: sources.read(`${table}.allowed_domains`, readDomains, []),
    newAccounts: sources.read(`${table}.new_accounts`, readFlag, false),
    newAccountsExternal: sources.read(`${table}.new_accounts_external`, readFlag, false),
    newAccountsApproval: sources.read(`${table}.new_accounts_approval`, readFlag, true),
    linkByVerifiedEmail: sources.read(`${table}.link_by_verified_email`, readFlag, false),
    requiredClaims: readTable(sources, `${table}.required_claims`, readList('values')),
    groups: readTable(sources, `${table}.groups`, readGrants),
  }
}

/** The secret itself, or that in a file. */
function readSecret(sources: SettingSources, table: string): string | undefined {
  const secret = sources.read(`${table}.client_secret`, readText, undefined)
  const ofFile = sources.read(`${table}.client_secret_file`, readSecretFile, undefined)
  if (sources.has(`${table}.client_secret`) && sources.has(`${table}.client_secret_file`)) {
    sources.refuse(`${table}.client_secret_file: leave out either this or ${table}.client_secret`)
  }
  return secret ?? ofFile
}

const readSecretFile: ReadSetting<string> = (raw) => {
  const path = readText(raw)
  const secret = readFile(path).trim()
  if (secret === '') throw new Error(`must be a file with the secret; ${path} is empty`)
  return secret
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`must be a file with the secret: ${messageOf(error)}`, { cause: error })
  }
}

/** A setting without a default; `what` names its value for the message. */
function required<T>(
  sources: SettingSources,
  name: string,
  read: ReadSetting<T>,
  what: string,
): T | undefined {
  if (!sources.has(name)) sources.refuse(`${name}: is required; ${what}`)
  return sources.read(name, read, undefined)
}

/** A table whose keys are values of the provider. */
function readTable<T>(sources: SettingSources, table: string, read: ReadSetting<T>): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const [key, raw] of sources.entriesOf(table)) {
    try {
      found.set(key, read(raw))
    } catch (error) {
      sources.refuse(`${table}.${key} in the settings file: ${messageOf(error)}`)
    }
  }
  return found
}

const readKind: ReadSetting<'openid'> = (raw) => {
  if (raw !== 'openid') throw new Error('must be openid')
  return raw
}

/** As the provider writes it: some have a slash at the end, some do not. */
const readIssuer: ReadSetting<string> = (raw) => {
  const text = readText(raw)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be the issuer of the provider, a URL such as https://id.example.com/realms/corp')
  }
  return text
}

const readScopes: ReadSetting<string[]> = (raw) => {
  const scopes = readText(raw).split(/[\s,]+/)
  if (!scopes.includes('openid')) throw new Error('must contain openid, such as "openid profile email"')
  return scopes
}

const readDomains: ReadSetting<string[]> = (raw) => {
  const domains = readList('domains')(raw).map((domain) => domain.toLowerCase())
  if (!domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))) {
    throw new Error('must be domains such as example.com, separated by commas')
  }
  return domains
}

/** A text with commas, or a list of texts. */
function readList(what: string): ReadSetting<string[]> {
  return (raw) => {
    const parts: unknown[] = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : []
    const texts = parts.map((part) => (typeof part === 'string' ? part.trim() : ''))
    if (texts.length === 0 || texts.includes('')) throw new Error(`must be ${what}, separated by commas`)
    return texts
  }
}

/** `app:maintainer, tools/lint:developer`. */
const readGrants: ReadSetting<GroupGrant[]> = (raw) => readList('groups')(raw).map(readGrant)

function readGrant(text: string): GroupGrant {
  const [, path = '', role = ''] = /^([^\s:]+):\s*(\w+)$/.exec(text) ?? []
  const level = Object.entries(ACCESS_LEVELS).find(([name]) => name === role)?.[1]
  if (path === '' || level === undefined) {
    throw new Error(`must be groups with roles, such as app:developer; ${text} is none`)
  }
  return { path, accessLevel: level }
}

import type { OpenIdSettings } from '../../../sessions/providers/provider-settings.js'
import { readText } from '../readers.js'
import type { ReadSetting, SettingSources } from '../setting-sources.js'
import { readSecret, required } from './provider-readers.js'
import { readRules } from './rules.js'

/** A table of the kind `openid`; undefined after a refused key. */
export function readOpenId(sources: SettingSources, table: string, name: string): OpenIdSettings | undefined {
  const issuer = required(sources, `${table}.issuer`, readIssuer, 'the address of the provider')
  const clientId = required(sources, `${table}.client_id`, readText, 'the ID that the provider has given')
  const settings = {
    kind: 'openid' as const,
    name,
    label: sources.read(`${table}.label`, readText, name),
    clientSecret: readSecret(sources, table, 'client_secret'),
    scopes: sources.read(`${table}.scopes`, readScopes, ['openid', 'profile', 'email']),
    subjectClaim: sources.read(`${table}.subject_claim`, readText, 'sub'),
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

import { messageOf } from '../../../../lib/errors.js'
import { ACCESS_LEVELS } from '../../../access/access-levels.js'
import type { GroupGrant, ProviderRules } from '../../../sessions/providers/provider-settings.js'
import { readFlag } from '../readers.js'
import type { ReadSetting, SettingSources } from '../setting-sources.js'
import { readList } from './provider-readers.js'

/** The keys that tables of every kind have. */
export function readRules(sources: SettingSources, table: string): ProviderRules {
  return {
    allowedDomains: sources.read(`${table}.allowed_domains`, readDomains, []),
    newAccounts: sources.read(`${table}.new_accounts`, readFlag, false),
    newAccountsExternal: sources.read(`${table}.new_accounts_external`, readFlag, false),
    newAccountsApproval: sources.read(`${table}.new_accounts_approval`, readFlag, true),
    linkByVerifiedEmail: sources.read(`${table}.link_by_verified_email`, readFlag, false),
    requiredClaims: readTable(sources, `${table}.required_claims`, readList('values')),
    trustedSecondFactor: readTable(sources, `${table}.trusted_second_factor`, readList('values')),
    groups: readTable(sources, `${table}.groups`, readGrants),
  }
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

const readDomains: ReadSetting<string[]> = (raw) => {
  const domains = readList('domains')(raw).map((domain) => domain.toLowerCase())
  if (!domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))) {
    throw new Error('must be domains such as example.com, separated by commas')
  }
  return domains
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

import { isLoopbackHost } from '../../../../lib/is-loopback-host.js'
import { SECOND } from '../../../../lib/time-units.js'
import type {
  LdapAttributes,
  LdapGroupSettings,
  LdapSettings,
  ProviderRules,
} from '../../../sessions/providers/provider-settings.js'
import { readCount, readFlag, readText } from '../readers.js'
import type { ReadSetting, SettingSources } from '../setting-sources.js'
import { readFilter } from './ldap-filter.js'
import { readList, readSecret, readTextFile, required } from './provider-readers.js'
import { readRules } from './rules.js'

/** A table of the kind `ldap`; undefined after a refused key. */
export function readLdap(sources: SettingSources, table: string, name: string): LdapSettings | undefined {
  const urls = readUrls(sources, table)
  const base = required(sources, `${table}.base`, readDn, 'the DN below which the users are')
  const rules = readRules(sources, table)
  const isEmailVerified = sources.read(`${table}.email_verified`, readFlag, false)
  refuseUnverified(sources, table, { rules, isEmailVerified })
  const settings = {
    kind: 'ldap' as const,
    name,
    label: sources.read(`${table}.label`, readText, name),
    authorities: sources.read(`${table}.ca_file`, readTextFile('certificates as PEM'), undefined),
    timeout: sources.read(`${table}.timeout_seconds`, readCount('seconds', 1), 10) * SECOND,
    account: readAccount(sources, table),
    userFilter: sources.read(`${table}.user_filter`, readFilter, '(objectClass=*)'),
    attributes: readAttributes(sources, table),
    isEmailVerified,
    groups: readGroups(sources, table, base ?? ''),
    maxBlockedPercent: sources.read(`${table}.max_blocked_percent`, readPercent, 20),
    rules,
  }
  return urls === undefined || base === undefined ? undefined : { ...settings, ...urls, base }
}

/** A password must not cross a network in the clear, unless an administrator wants it so. */
function readUrls(
  sources: SettingSources,
  table: string,
): Pick<LdapSettings, 'urls' | 'startTls'> | undefined {
  const urls = required(sources, `${table}.urls`, readServers, 'such as ldaps://ldap.example.com')
  const startTls = sources.read(`${table}.start_tls`, readFlag, false)
  const isInClear = sources.read(`${table}.allow_unencrypted`, readFlag, false)
  const open = urls?.find((url) => url.startsWith('ldap:') && !isLoopbackHost(new URL(url).hostname))
  if (open !== undefined && !startTls && !isInClear) {
    sources.refuse(
      `${table}.urls: ${open} would carry passwords in the clear; use ldaps:, start_tls = true, or allow_unencrypted = true`,
    )
  }
  return urls && { urls, startTls }
}

function readAccount(sources: SettingSources, table: string): LdapSettings['account'] {
  const dn = sources.read(`${table}.bind_dn`, readBindName, undefined)
  const password = readSecret(sources, table, 'bind_password')
  if ((dn === undefined) !== (password === undefined)) {
    sources.refuse(
      `${table}.bind_dn: needs bind_password or bind_password_file, and they need it; leave out both for an anonymous search`,
    )
  }
  return dn === undefined || password === undefined ? undefined : { dn, password }
}

function readAttributes(sources: SettingSources, table: string): LdapAttributes {
  return {
    username: sources.read(`${table}.username_attribute`, readAttribute, 'uid'),
    name: sources.read(`${table}.name_attribute`, readAttribute, 'cn'),
    email: sources.read(`${table}.email_attribute`, readAttribute, 'mail'),
    id: sources.read(`${table}.id_attribute`, readAttribute, 'entryUUID'),
  }
}

function readGroups(sources: SettingSources, table: string, base: string): LdapGroupSettings {
  return {
    base: sources.read(`${table}.group_base`, readDn, base),
    filter: sources.read(`${table}.group_filter`, readFilter, '(objectClass=*)'),
    name: sources.read(`${table}.group_attribute`, readAttribute, 'cn'),
    member: sources.read(`${table}.group_member_attribute`, readAttribute, 'member'),
    nested: sources.read(`${table}.nested_groups`, readNested, 'no'),
  }
}

function refuseUnverified(
  sources: SettingSources,
  table: string,
  { rules, isEmailVerified }: { rules: ProviderRules; isEmailVerified: boolean },
): void {
  if (isEmailVerified) return
  const needs = (key: string) =>
    sources.refuse(
      `${table}.${key}: needs email_verified = true, for users who cannot write their own address`,
    )
  if (rules.allowedDomains.length > 0) needs('allowed_domains')
  if (rules.linkByVerifiedEmail) needs('link_by_verified_email')
}

const readServers: ReadSetting<string[]> = (raw) => readList('URLs')(raw).map(readServer)

function readServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && !url.search && !url.hash && !url.username && /^\/?$/.test(url.pathname)
  if (!isPlain || !/^ldaps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error(`must be URLs such as ldaps://ldap.example.com or ldap://10.0.0.1:389; ${text} is none`)
  }
  return `${url.protocol}//${url.host}`
}

const readDn: ReadSetting<string> = (raw) => {
  const text = readText(raw)
  if (!isDn(text)) throw new Error('must be a DN such as ou=people,dc=example,dc=com')
  return text
}

/** Active Directory also takes `name@domain` and `DOMAIN\name`. */
const readBindName: ReadSetting<string> = (raw) => {
  const text = readText(raw)
  if (!isDn(text) && !/^[^@\\]+[@\\][^@\\]+$/.test(text)) {
    throw new Error('must be a DN such as cn=switchyard,dc=example,dc=com')
  }
  return text
}

/** Attributes with values, separated by commas; the server checks the rest (RFC 4514). */
function isDn(text: string): boolean {
  return /^[\w.-]+ *=/.test(text)
}

const readAttribute: ReadSetting<string> = (raw) => {
  const text = readText(raw)
  if (!/^[a-z][\w-]*$/i.test(text)) throw new Error('must be the name of an attribute, such as uid')
  return text
}

const NESTED = ['no', 'walk', 'in_chain'] as const

const readNested: ReadSetting<LdapGroupSettings['nested']> = (raw) => {
  const nested = NESTED.find((each) => each === raw)
  if (!nested) throw new Error(`must be one of ${NESTED.join(', ')}`)
  return nested
}

const readPercent: ReadSetting<number> = (raw) => {
  const percent = readCount('percent', 0)(raw)
  if (percent > 100) throw new Error('must be a whole number of percent, 100 or less')
  return percent
}

import type { ProviderSettings, SignInSettings } from '../../../sessions/providers/provider-settings.js'
import { readFlag } from '../readers.js'
import type { ReadSetting, SettingSources } from '../setting-sources.js'
import { readLdap } from './ldap.js'
import { readOpenId } from './openid.js'
import { required } from './provider-readers.js'
import { readSaml } from './saml.js'

const TABLE = 'sign_in.providers'

/** Names are parts of addresses and of environment variables. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/

type ReadProvider = (sources: SettingSources, table: string, name: string) => ProviderSettings | undefined

/** A new kind of provider is one more row. */
const READERS: Readonly<Record<ProviderSettings['kind'], ReadProvider>> = {
  openid: readOpenId,
  saml: readSaml,
  ldap: readLdap,
}
const KINDS = Object.keys(READERS).join(', ')

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
  const kind = required(sources, `${table}.kind`, readKind, KINDS)
  // Without a kind, the keys of the most common one are checked too, so that one start names all problems.
  const provider = READERS[kind ?? 'openid'](sources, table, name)
  return kind && provider
}

const readKind: ReadSetting<ProviderSettings['kind']> = (raw) => {
  if (typeof raw !== 'string' || !isKind(raw)) throw new Error(`must be one of ${KINDS}`)
  return raw
}

function isKind(text: string): text is ProviderSettings['kind'] {
  return Object.hasOwn(READERS, text)
}

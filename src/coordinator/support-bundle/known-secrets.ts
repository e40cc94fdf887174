import { join } from 'node:path'

import { readIfThere } from '../../lib/files.js'
import { maskedForms } from '../../masking/masked-forms.js'
import type { StorageLocation } from '../ci/storage/open-blob-store.js'
import type { ProviderSettings } from '../sessions/providers/provider-settings.js'
import type { CoordinatorSecrets, CoordinatorSettings } from '../start/config/settings.js'

/** Shorter values could be part of harmless text, and are in no part of a bundle. */
const MIN_LENGTH = 4

/** Files of the data folder and the shared folder that are a secret as a whole, or have one in each line. */
const SECRET_FILES = [
  'secret.key',
  'ssh_host_ed25519_key',
  'ssh_host_ecdsa_key',
  'admin-token',
  'runner-registration-token',
]

/** Applies to variables that are secrets only by their name. */
const MIN_LENGTH_OF_VARIABLE = 8
const SECRET_VARIABLE = /SECRET|TOKEN|PASSWORD|KEY|CREDENTIAL|HEADERS/i

/**
 * Every text that would reveal a secret of the settings, the keys of the installation, or the environment of this
 * command. A bundle should contain none of them. If one appears, as in the message of an error, it is censored.
 */
export async function knownSecrets(
  settings: CoordinatorSettings,
  secrets: CoordinatorSecrets,
  environment: Record<string, string | undefined>,
): Promise<string[]> {
  const { database, storage, backup, mail, signIn, traceExport } = settings
  const urls = [database.dialect === 'postgres' ? database.url : undefined, mail?.url, traceExport?.url]
  const paths = [settings.dataDir, settings.sharedDir].flatMap((folder) =>
    SECRET_FILES.map((name) => join(folder, name)),
  )
  const files = await Promise.all(paths.map((path) => readIfThere(path)))
  const values = [
    secrets.adminToken,
    secrets.registrationToken,
    ...signIn.providers.flatMap(secretsOfProvider),
    ...urls.flatMap((url) => (url === undefined ? [] : secretsInUrl(url))),
    ...[storage.location, storage.previous, backup].flatMap(keysOf),
    ...files.flatMap((file) => file?.split('\n') ?? []),
    ...secretsInVariables(environment),
  ]
  const given = values.filter(
    (value): value is string => value !== undefined && value.trim().length >= MIN_LENGTH,
  )
  // A form that contains another one comes first.
  return maskedForms(given).toSorted((one, other) => other.length - one.length)
}

/** A key has several lines, each of which would reveal a part of it. */
function secretsOfProvider(provider: ProviderSettings): (string | undefined)[] {
  switch (provider.kind) {
    case 'openid':
      return [provider.clientSecret]
    case 'ldap':
      return [provider.account?.password]
    case 'saml':
      return provider.keyPair?.key.split('\n').filter((line) => !line.startsWith('-----')) ?? []
  }
}

/** Values of variables with such names, and each value within `name=value,name=value`. */
function secretsInVariables(environment: Record<string, string | undefined>): string[] {
  return Object.entries(environment)
    .filter(([name]) => SECRET_VARIABLE.test(name))
    .flatMap(([, value = '']) => [
      value,
      ...value.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1)),
    ])
    .filter((value) => value.length >= MIN_LENGTH_OF_VARIABLE)
}

function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return [url]
  const { password, searchParams } = new URL(url)
  return [password, decodeURIComponent(password), ...searchParams.values()]
}

function keysOf(location: StorageLocation | undefined): (string | undefined)[] {
  if (location?.kind !== 's3') return []
  const { credentials } = location.bucket
  return 'secretAccessKey' in credentials ? [credentials.secretAccessKey, credentials.sessionToken] : []
}

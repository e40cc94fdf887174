import type { ConfigData, JobOptions } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { isMap, NOTHING } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { mapOf, readMapEntry, requireOneOf, requireWritten } from './map-entry.js'
import type { Reader } from './reader.js'
import { readBoolean, readName, readString } from './simple-values.js'

type Secrets = NonNullable<JobOptions['secrets']>

/**
 * Variables that the runner reads from a secrets provider (CI language, 3.17). Checks the structure and keeps
 * the value unchanged.
 */
export const readSecrets: Reader<Secrets> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const secrets = [...value].map(([name, secret]): [string, ConfigData | null] => [
    name,
    readSecret(secret ?? NOTHING, location.child(name)),
  ])
  return Object.fromEntries(secrets.flatMap(([name, secret]) => (secret === null ? [] : [[name, secret]])))
}

const readSecret: Reader<ConfigData> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(secretShape, value, location, (map) => requireOneOf(map, PROVIDERS, location))
  return read && dataOf(value)
}

/** `path/field@engine`, or a map of these. */
const readVault: Reader<unknown> = (value, location) => {
  if (typeof value === 'string') return readName(value, location)
  return isMap(value)
    ? readMapEntry(vaultShape, value, location, (map) => requireWritten(map, ['path', 'field'], location))
    : location.refuse('should be a hash or a string')
}

const readAws: Reader<unknown> = (value, location) =>
  typeof value === 'string' ? readName(value, location) : mapOf(awsShape, named('secret_id'))(value, location)

function named(key: string) {
  return (map: Parameters<typeof requireWritten>[0], location: Location) => {
    requireWritten(map, [key], location)
  }
}

export const vaultEngineShape = { attributes: { name: readString, path: readString }, children: {} }

export const vaultShape = {
  attributes: { path: readName, field: readName },
  children: { engine: mapOf(vaultEngineShape) },
}

/** A version may be a number. */
const readVersion: Reader<string> = (value, location) =>
  typeof value === 'bigint' ? String(value) : readString(value, location)

export const versionedSecretShape = { attributes: { name: readName, version: readVersion }, children: {} }

export const awsShape = {
  attributes: {
    secret_id: readName,
    version_id: readVersion,
    version_stage: readString,
    region: readString,
    role_arn: readString,
    role_session_name: readString,
    field: readString,
  },
  children: {},
}

/** All keys are optional; the required ones depend on the type of the item. */
export const akeylessShape = {
  attributes: {
    name: readString,
    data_key: readString,
    cert_user_name: readString,
    public_key_data: readString,
    csr_data: readString,
    akeyless_api_url: readString,
    akeyless_access_type: readString,
    akeyless_access_key: readString,
    akeyless_token: readString,
    uid_token: readString,
    gcp_audience: readString,
    azure_object_id: readString,
    k8s_service_account_token: readString,
    k8s_auth_config_name: readString,
    gateway_ca_certificate: readString,
  },
  children: {},
}

export const storedSecretShape = { attributes: { name: readName, source: readString }, children: {} }

const providers = {
  vault: readVault,
  azure_key_vault: mapOf(versionedSecretShape, named('name')),
  gcp_secret_manager: mapOf(versionedSecretShape, named('name')),
  aws_secrets_manager: readAws,
  akeyless: mapOf(akeylessShape),
  gitlab_secrets_manager: mapOf(storedSecretShape, named('name')),
}

const PROVIDERS = Object.keys(providers)

export const secretShape = {
  attributes: { file: readBoolean, token: readString },
  children: providers,
}

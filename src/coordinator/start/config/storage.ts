import {
  CREDENTIAL_VARIABLES,
  credentialSource,
  type CredentialVariables,
} from '../../../s3/credential-source.js'
import { isAmazonHost, regionOf } from '../../../s3/object-address.js'
import type { S3Credentials, S3SettingNames } from '../../../s3/s3-settings.js'
import {
  isSameLocation,
  type StorageLocation,
  type StorageSettings,
} from '../../ci/storage/open-blob-store.js'
import { readFlag, readText } from './readers.js'
import type { ReadSetting, SettingSources } from './setting-sources.js'

type Environment = Record<string, string | undefined>

interface StorageUrl {
  /** Undefined = the data folder. */
  bucketName: string | undefined
  prefix: string
}

/**
 * `[storage]`, and `[storage.previous]` while blobs are moved. Key, region and endpoint default to the variables that
 * the tools of Amazon read, and the key to that of the role of the container or machine.
 */
export function readStorage(sources: SettingSources, environment: Environment): StorageSettings {
  const amazon = amazonVariables(environment)
  const location = readPlace(sources, 'storage', amazon)
  const previous = readPlace(sources, 'storage.previous', amazon)
  const isDirect = sources.read('storage.direct', readFlag, false)
  if (!sources.has('storage.previous.url')) return { location, previous: undefined, isDirect }
  if (isSameLocation(location, previous)) sources.refuse('storage.previous: is the same location as storage')
  return { location, previous, isDirect }
}

/** `[backup]`: the bucket for backups, if there is one. */
export function readBackupBucket(
  sources: SettingSources,
  environment: Environment,
): (StorageLocation & { kind: 's3' }) | undefined {
  const location = readPlace(sources, 'backup', amazonVariables(environment))
  return location.kind === 's3' ? location : undefined
}

function amazonVariables(environment: Environment): AmazonVariables {
  return {
    accessKeyId: environment['AWS_ACCESS_KEY_ID'],
    secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'],
    sessionToken: environment['AWS_SESSION_TOKEN'],
    region: environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'],
    endpoint: environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL'],
    ofRole: Object.fromEntries(CREDENTIAL_VARIABLES.map((name) => [name, environment[name]])),
  }
}

/** A key, as far as it is set. */
interface GivenKey {
  accessKeyId: string | undefined
  secretAccessKey: string | undefined
  sessionToken?: string | undefined
}

interface AmazonVariables extends GivenKey {
  region: string | undefined
  endpoint: string | undefined
  /** What leads to the key of a role. */
  ofRole: CredentialVariables
}

function readPlace(sources: SettingSources, table: string, amazon: AmazonVariables): StorageLocation {
  const { bucketName, prefix } = sources.read(`${table}.url`, readStorageUrl, FOLDER)
  const endpoint = sources.read(`${table}.endpoint`, readEndpoint, undefined)
  const region = sources.read(`${table}.region`, readText, amazon.region || undefined)
  const pathStyle = sources.read(`${table}.path_style`, readFlag, undefined)
  const ownKey = sources.read(`${table}.access_key_id`, readText, undefined)
  const ownSecret = sources.read(`${table}.secret_access_key`, readText, undefined)
  if (bucketName === undefined) return { kind: 'folder' }
  const server = endpoint ?? endpointOf(sources, amazon.endpoint)
  const hasOwn = ownKey !== undefined || ownSecret !== undefined
  const key = hasOwn ? { accessKeyId: ownKey, secretAccessKey: ownSecret } : amazon
  const credentials =
    key.accessKeyId || key.secretAccessKey
      ? completeKey(key)
      : credentialSource(amazon.ofRole, {
          region: regionOf({ bucketLocation: region }),
          mayAskMachine: !server || isAmazonHost(server.host),
        })
  if (!credentials) {
    sources.refuse(
      `${table}: a bucket needs a key: set ${table}.access_key_id and ${table}.secret_access_key, or ` +
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
  }
  return {
    kind: 's3',
    prefix,
    bucket: {
      bucketName,
      serverAddress: server?.host,
      isInsecure: server?.protocol === 'http:',
      bucketLocation: region,
      credentials: credentials ?? { accessKeyId: '', secretAccessKey: '' },
      pathStyle,
      isDualStack: false,
      isAccelerated: false,
      encryption: undefined,
      names: bucketSettingNames(table),
    },
  }
}

/** The names of the settings of the bucket in a table. */
export function bucketSettingNames(table: string): S3SettingNames {
  return {
    bucket: `${table}.url`,
    key: `${table}.access_key_id and ${table}.secret_access_key, or the AWS_ variables`,
    region: `${table}.region`,
    endpoint: `${table}.endpoint`,
  }
}

function completeKey({ accessKeyId, secretAccessKey, sessionToken }: GivenKey): S3Credentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

const FOLDER: StorageUrl = { bucketName: undefined, prefix: '' }

/** `s3://bucket/prefix`, or `folder` for the data folder. */
const readStorageUrl: ReadSetting<StorageUrl> = (raw) => {
  const text = readText(raw)
  if (text === 'folder') return FOLDER
  const match = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[A-Za-z0-9._/-]*))?$/.exec(
    text,
  )
  const prefix = match?.groups?.['prefix']?.replace(/\/+$/, '') ?? ''
  if (!match || (prefix !== '' && prefix.split('/').some((part) => /^\.{0,2}$/.test(part)))) {
    throw new Error('must be s3://bucket, s3://bucket/prefix, or folder for the data folder')
  }
  return { bucketName: match.groups?.['bucket'], prefix }
}

const readEndpoint: ReadSetting<URL> = (raw) => {
  const text = readText(raw)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.username) {
    throw new Error('must be the address of a server without a path, such as https://s3.example.com')
  }
  return url
}

function endpointOf(sources: SettingSources, text: string | undefined): URL | undefined {
  if (!text) return undefined
  try {
    return readEndpoint(text)
  } catch (error) {
    sources.refuse(`AWS_ENDPOINT_URL: ${(error as Error).message}`)
    return undefined
  }
}

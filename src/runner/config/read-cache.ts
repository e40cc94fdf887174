import { credentialSource } from '../../s3/credential-source.js'
import { isAmazonHost, regionOf } from '../../s3/object-address.js'
import type { S3Encryption, S3SettingNames, S3Settings } from '../../s3/s3-settings.js'
import type { CacheSettings } from '../cache/cache-settings.js'
import type { Findings, TableReader } from './table-reader.js'
import { CACHE_S3 } from './unsupported-keys.js'

/** `local` exists only in this runner. */
const TYPES = ['s3', 'gcs', 'azure', 'local'] as const
const ENCRYPTIONS = ['S3', 'KMS', 'DSSE-KMS'] as const

/** Reads `[runners.cache]` (runner protocol, 9.5). Its keys are case-sensitive. */
export function readCache(
  entry: TableReader,
  location: string,
  findings: Findings,
  environment: NodeJS.ProcessEnv,
): CacheSettings {
  const reader = entry.subTable('cache')
  const type = reader.choiceOrEmpty('Type', TYPES)
  const prefix = reader.string('Path') ?? ''
  const isShared = reader.boolean('Shared') ?? false
  const maximumUploadBytes = reader.integer('MaxUploadedArchiveSize', 0) ?? 0
  // The reference runner writes the tables of all cache types, even if they are empty.
  reader.accept(['s3', 'gcs', 'azure'])
  reader.reportUnknown()
  switch (type) {
    case 's3':
      return {
        kind: 's3',
        maximumUploadBytes,
        prefix,
        isShared,
        s3: readS3(reader.subTable('s3'), environment),
      }
    case 'gcs':
    case 'azure':
      findings.warnings.push(
        `${location}.cache.Type is "${type}", which this runner does not support: caches are stored in a local folder`,
      )
      return { kind: 'local', maximumUploadBytes }
    case 'local':
      return { kind: 'local', maximumUploadBytes }
    case undefined:
      return { kind: 'automatic', maximumUploadBytes }
  }
}

function readS3(reader: TableReader, environment: NodeJS.ProcessEnv): S3Settings {
  const serverAddress = reader.string('ServerAddress') || undefined
  const bucketLocation = reader.string('BucketLocation') || undefined
  const settings: S3Settings = {
    serverAddress,
    bucketName: reader.requiredString('BucketName'),
    bucketLocation,
    credentials: readCredentials(reader, { serverAddress, bucketLocation }, environment),
    isInsecure: reader.boolean('Insecure') ?? false,
    pathStyle: reader.boolean('PathStyle'),
    isDualStack: reader.boolean('DualStack') ?? true,
    isAccelerated: reader.boolean('Accelerate') ?? false,
    encryption: readEncryption(reader),
    names: SETTING_NAMES,
  }
  checkAddress(reader, settings)
  reader.ignore(CACHE_S3)
  reader.reportUnknown()
  return settings
}

/**
 * `AuthenticationType` defaults to "iam" without keys. The machine is asked for its role only if the bucket is at Amazon or
 * the settings say "iam", because another address is no sign of a machine of Amazon.
 */
function readCredentials(
  reader: TableReader,
  { serverAddress, bucketLocation }: Pick<S3Settings, 'serverAddress' | 'bucketLocation'>,
  environment: NodeJS.ProcessEnv,
): S3Settings['credentials'] {
  const authentication = reader.choiceOrEmpty('AuthenticationType', ['access-key', 'iam'])
  const [accessKeyId, secretAccessKey] = [reader.string('AccessKey'), reader.string('SecretKey')]
  const sessionToken = reader.string('SessionToken')
  if (authentication !== 'iam' && accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  const isRole = authentication === 'iam' || (!authentication && !accessKeyId && !secretAccessKey)
  const source = isRole
    ? credentialSource(environment, {
        region: regionOf({ bucketLocation }),
        mayAskMachine: authentication === 'iam' || serverAddress === undefined || isAmazonHost(serverAddress),
      })
    : undefined
  if (source) return source
  if (authentication === 'iam') {
    reader.problem('AuthenticationType', 'is "iam", and AWS_EC2_METADATA_DISABLED forbids to ask the machine')
  } else reader.problem('AccessKey', 'and SecretKey must both be set, unless AuthenticationType is "iam"')
  return { accessKeyId: '', secretAccessKey: '' }
}

const SETTING_NAMES: S3SettingNames = {
  bucket: 'BucketName in [runners.cache.s3]',
  key: 'AccessKey and SecretKey in [runners.cache.s3]',
  region: 'BucketLocation in [runners.cache.s3]',
  endpoint: 'ServerAddress in [runners.cache.s3]',
}

function readEncryption(reader: TableReader): S3Encryption | undefined {
  const kind = reader.choiceOrEmpty('ServerSideEncryption', ENCRYPTIONS)
  const keyId = reader.string('ServerSideEncryptionKeyID') || undefined
  return kind && { kind, keyId }
}

function checkAddress(reader: TableReader, { serverAddress }: S3Settings): void {
  if (serverAddress !== undefined && !/^[\w.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/i.test(serverAddress)) {
    reader.problem(
      'ServerAddress',
      'must be a host with an optional port, without http:// and without a path',
    )
  }
}

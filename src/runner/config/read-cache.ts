import type { S3Encryption, S3SettingNames, S3Settings } from '../../s3/s3-settings.js'
import type { CacheSettings } from '../cache/cache-settings.js'
import type { Findings, TableReader } from './table-reader.js'
import { CACHE_S3 } from './unsupported-keys.js'

/** `local` exists only in this runner. */
const TYPES = ['s3', 'gcs', 'azure', 'local'] as const
const ENCRYPTIONS = ['S3', 'KMS', 'DSSE-KMS'] as const

/** Reads `[runners.cache]` (runner protocol, 9.5). Its keys are case-sensitive. */
export function readCache(entry: TableReader, place: string, findings: Findings): CacheSettings {
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
      return { kind: 's3', maximumUploadBytes, prefix, isShared, s3: readS3(reader.subTable('s3')) }
    case 'gcs':
    case 'azure':
      findings.warnings.push(
        `${place}.cache.Type is "${type}", which this runner does not support: caches are stored in a local folder`,
      )
      return { kind: 'local', maximumUploadBytes }
    case 'local':
      return { kind: 'local', maximumUploadBytes }
    case undefined:
      return { kind: 'automatic', maximumUploadBytes }
  }
}

function readS3(reader: TableReader): S3Settings {
  const authentication = reader.choiceOrEmpty('AuthenticationType', ['access-key', 'iam'])
  const [accessKeyId, secretAccessKey] = [reader.string('AccessKey'), reader.string('SecretKey')]
  if (authentication === 'iam' || !accessKeyId || !secretAccessKey) {
    reader.problem(
      'AuthenticationType',
      'defaults to "iam" unless AccessKey and SecretKey are set, and this runner supports only these keys',
    )
  }
  const sessionToken = reader.string('SessionToken')
  const settings: S3Settings = {
    serverAddress: reader.string('ServerAddress') || undefined,
    bucketName: reader.requiredString('BucketName'),
    bucketLocation: reader.string('BucketLocation') || undefined,
    credentials: {
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: secretAccessKey ?? '',
      ...(sessionToken ? { sessionToken } : {}),
    },
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

import { keysOf, type KnownKey } from './known-key.js'

/** Keys of `[runners.cache]` (runner protocol, 9.5). */
export const CACHE_KEYS: KnownKey[] = [
  ...keysOf(
    ['cache'],
    { flag: 'cache', variable: 'CACHE' },
    {
      Type: ['string', 's3, gcs or azure'],
      Path: ['string', 'prefix of every key'],
      Shared: ['boolean', 'share caches between runners'],
      MaxUploadedArchiveSize: [
        'integer',
        'largest archive, in bytes; 0 = no limit',
        { alias: '--cache-max_uploaded_archive_size', variable: 'CACHE_MAXIMUM_UPLOADED_ARCHIVE_SIZE' },
      ],
    },
  ),
  ...keysOf(
    ['cache', 's3'],
    { flag: 'cache-s3', variable: 'CACHE_S3' },
    {
      ServerAddress: ['string', 'host[:port]'],
      AccessKey: ['string', 'access key'],
      SecretKey: ['string', 'secret key'],
      SessionToken: ['string', 'token of a temporary key'],
      BucketName: ['string', 'bucket'],
      BucketLocation: ['string', 'region'],
      Insecure: ['boolean', 'without TLS'],
      AuthenticationType: ['string', 'access-key or iam', { alias: '--cache-s3-authentication_type' }],
      ServerSideEncryption: ['string', 'S3, KMS or DSSE-KMS'],
      ServerSideEncryptionKeyID: ['string', 'key for it'],
      DualStack: ['boolean', 'IPv4 and IPv6 (default: true)'],
      PathStyle: ['boolean', 'bucket in the path, not in the host name'],
      Accelerate: ['boolean', 'accelerated transfers'],
      RoleARN: ['string', 'role to take on'],
      UploadRoleARN: ['string', 'role to take on for uploads'],
    },
  ),
  ...keysOf(
    ['cache', 'gcs'],
    { flag: 'cache-gcs', variable: 'CACHE_GCS' },
    {
      AccessID: ['string', 'service account'],
      PrivateKey: ['string', 'its key'],
      CredentialsFile: ['string', 'file with both', { variable: 'GOOGLE_APPLICATION_CREDENTIALS' }],
      BucketName: ['string', 'bucket'],
      UniverseDomain: ['string', 'domain of the service'],
    },
  ),
  ...keysOf(
    ['cache', 'azure'],
    { flag: 'cache-azure', variable: 'CACHE_AZURE' },
    {
      AccountName: ['string', 'account'],
      AccountKey: ['string', 'its key'],
      ContainerName: ['string', 'container'],
      StorageDomain: ['string', 'domain of the service'],
    },
  ),
]

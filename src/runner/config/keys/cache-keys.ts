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
        'maximum archive size, in bytes; 0 = no limit',
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
      SessionToken: ['string', 'session token of a temporary key'],
      BucketName: ['string', 'bucket'],
      BucketLocation: ['string', 'region'],
      Insecure: ['boolean', 'use HTTP without TLS'],
      AuthenticationType: ['string', 'access-key or iam', { alias: '--cache-s3-authentication_type' }],
      ServerSideEncryption: ['string', 'S3, KMS or DSSE-KMS'],
      ServerSideEncryptionKeyID: ['string', 'encryption key ID'],
      DualStack: ['boolean', 'use IPv4 and IPv6 (default: true)'],
      PathStyle: ['boolean', 'bucket in the path, not in the host name'],
      Accelerate: ['boolean', 'use accelerated transfers'],
      RoleARN: ['string', 'role to assume'],
      UploadRoleARN: ['string', 'role to assume for uploads'],
    },
  ),
  ...keysOf(
    ['cache', 'gcs'],
    { flag: 'cache-gcs', variable: 'CACHE_GCS' },
    {
      AccessID: ['string', 'service account'],
      PrivateKey: ['string', 'key of the service account'],
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
      AccountKey: ['string', 'account key'],
      ContainerName: ['string', 'container'],
      StorageDomain: ['string', 'domain of the service'],
    },
  ),
]

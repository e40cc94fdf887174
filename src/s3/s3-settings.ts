import type { CredentialSource } from './credential-source.js'

/** A bucket, and how to reach it. */
export interface S3Settings {
  /** Host and port. Undefined means Amazon. */
  serverAddress: string | undefined
  bucketName: string
  /** Region. Undefined means us-east-1. */
  bucketLocation: string | undefined
  credentials: S3Credentials | CredentialSource
  /** Uses HTTP instead of HTTPS. */
  isInsecure: boolean
  /** Undefined selects the style that the server expects. */
  pathStyle: boolean | undefined
  isDualStack: boolean
  isAccelerated: boolean
  encryption: S3Encryption | undefined
  names: S3SettingNames
}

/** The names of the settings of a bucket, for error messages. */
export interface S3SettingNames {
  bucket: string
  key: string
  region: string
  endpoint: string
}

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

export interface S3Encryption {
  kind: 'S3' | 'KMS' | 'DSSE-KMS'
  keyId: string | undefined
}

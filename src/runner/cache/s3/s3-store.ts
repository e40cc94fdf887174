import { uploadInParts } from '../../../s3/multipart-upload.js'
import { filePart, headerOf, type S3Client, tagOf } from '../../../s3/s3-client.js'
import type { CacheAddress, CacheArchive, Download, RemoteStore, Transfer } from '../cache-store.js'
import { downloadFile, unlessKnown } from '../download-file.js'
import { withRetries } from '../with-retries.js'
import { objectName, type ObjectNaming } from './object-name.js'

const CONTENT_HEADER = 'x-amz-meta-switchyard-content'

export interface S3StoreOptions extends ObjectNaming {
  /** Size of each part of a larger upload, in bytes. Smaller archives use one request. */
  partSize?: number
}

/** S3 allows parts of 5 MiB to 5 GiB, and 10,000 parts. */
const PART_SIZE = 32 * 1024 ** 2

const ENCRYPTION = { S3: 'AES256', KMS: 'aws:kms', 'DSSE-KMS': 'aws:kms:dsse' } as const

/** Caches as objects of one bucket. */
export class S3Store implements RemoteStore {
  readonly name: string

  constructor(
    private readonly client: S3Client,
    private readonly options: S3StoreOptions,
  ) {
    this.name = `S3 bucket ${client.settings.bucketName}`
  }

  async download(
    address: CacheAddress,
    file: string,
    knownTag: string | undefined,
    transfer: Transfer,
  ): Promise<Download> {
    const name = objectName(address, this.options)
    const headers = unlessKnown(knownTag)
    return withRetries(transfer, async (signal) => {
      const response = await this.client.send({ method: 'GET', name, headers, signal }, [200, 304, 404])
      if (response.status === 200) {
        await downloadFile(this.client.what, response.body, file, signal)
        return { kind: 'downloaded', tag: tagOf(response), content: headerOf(response, CONTENT_HEADER) }
      }
      await response.body.dump()
      return { kind: response.status === 304 ? 'unchanged' : 'missing' }
    })
  }

  async contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined> {
    const name = objectName(address, this.options)
    return withRetries(transfer, async (signal) => {
      const response = await this.client.send({ method: 'HEAD', name, signal }, [200, 404])
      await response.body.dump()
      return response.status === 200 ? headerOf(response, CONTENT_HEADER) : undefined
    })
  }

  async upload(
    address: CacheAddress,
    archive: CacheArchive,
    transfer: Transfer,
  ): Promise<string | undefined> {
    const name = objectName(address, this.options)
    const headers = this.headersOf(address, archive)
    const partSize = this.options.partSize ?? PART_SIZE
    const { file, size } = archive
    if (size > 2 * partSize) {
      const attempts = <T>(request: (signal: AbortSignal) => Promise<T>) => withRetries(transfer, request)
      return uploadInParts(this.client, { name, headers, file, size, partSize, attempts })
    }
    const body = filePart(file, 0, size)
    return withRetries(transfer, async (signal) => {
      const response = await this.client.send({ method: 'PUT', name, headers, body, signal }, [200])
      await response.body.dump()
      return tagOf(response)
    })
  }

  private headersOf({ key }: CacheAddress, { content }: CacheArchive): Record<string, string> {
    const { encryption } = this.client.settings
    return {
      'content-type': 'application/octet-stream',
      'x-amz-meta-cachekey': encodeURIComponent(key),
      [CONTENT_HEADER]: content,
      ...(encryption && { 'x-amz-server-side-encryption': ENCRYPTION[encryption.kind] }),
      ...(encryption?.keyId && { 'x-amz-server-side-encryption-aws-kms-key-id': encryption.keyId }),
    }
  }
}

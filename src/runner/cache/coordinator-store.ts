import { createReadStream } from 'node:fs'

import { mayPass } from '../../lib/network-errors.js'
import { CACHE_CONTENT_HEADER } from '../../protocol/cache.js'
import type { HttpResponse } from '../client/connections.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import { type Call, header } from '../client/http-transport.js'
import type { CacheAddress, CacheArchive, Download, RemoteStore, Transfer } from './cache-store.js'
import { downloadFile, unlessKnown } from './download-file.js'
import { CacheRefusedError, CacheUnavailableError } from './errors.js'
import { overNetwork, withRetries } from './with-retries.js'

/**
 * Caches in the storage of the coordinator, shared by all runners. The coordinator itself determines the project of
 * a job and whether its ref is protected. So only the key of the address is sent.
 */
export class CoordinatorStore implements RemoteStore {
  readonly name = 'coordinator'

  constructor(
    private readonly client: Pick<CoordinatorClient, 'callForJob' | 'follow'>,
    private readonly job: JobIdentity,
  ) {}

  async download(
    address: CacheAddress,
    file: string,
    knownTag: string | undefined,
    transfer: Transfer,
  ): Promise<Download> {
    const headers = unlessKnown(knownTag)
    return withRetries(transfer, async (signal) => {
      const path = `${query(address)}&direct_download=true`
      const first = await this.send(transfer, { method: 'GET', path, headers, signal })
      const response = await overNetwork(this.name, () => this.client.follow(first, {}, signal))
      switch (response.status) {
        case 200:
          await downloadFile(this.name, response.body, file, signal)
          return {
            kind: 'downloaded',
            // The coordinator's own, also when its storage sends the bytes.
            tag: header(first, 'etag'),
            content: header(first, CACHE_CONTENT_HEADER),
          }
        case 304:
          await response.body.dump()
          return { kind: 'unchanged' }
        case 404:
          await response.body.dump()
          return { kind: 'missing' }
        default:
          throw await refusal(response)
      }
    })
  }

  async contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined> {
    return withRetries(transfer, async (signal) => {
      const response = await this.send(transfer, { method: 'HEAD', path: query(address), signal })
      await response.body.dump()
      if (response.status === 200) return header(response, CACHE_CONTENT_HEADER)
      if (response.status === 404) return undefined
      throw await refusal(response)
    })
  }

  async upload(
    address: CacheAddress,
    archive: CacheArchive,
    transfer: Transfer,
  ): Promise<string | undefined> {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(archive.size),
      [CACHE_CONTENT_HEADER]: archive.content,
    }
    return withRetries(transfer, async (signal) => {
      const body = createReadStream(archive.file)
      try {
        const response = await this.send(transfer, {
          method: 'PUT',
          path: query(address),
          headers,
          body,
          signal,
        })
        if (response.status !== 201) throw await refusal(response)
        await response.body.dump()
        return header(response, 'etag')
      } finally {
        body.destroy()
      }
    })
  }

  private async send(transfer: Transfer, call: Call): Promise<HttpResponse> {
    return overNetwork(this.name, () => this.client.callForJob(this.job, 'cache', call)).catch(
      (error: unknown) => {
        transfer.signal.throwIfAborted()
        throw error
      },
    )
  }
}

function query({ key }: CacheAddress): string {
  return `?${new URLSearchParams({ key }).toString()}`
}

async function refusal({ status, body }: HttpResponse): Promise<Error> {
  await body.dump()
  if (mayPass(status)) return new CacheUnavailableError(`the coordinator returned ${status}`)
  return new CacheRefusedError(
    status === 413
      ? 'the archive is larger than the coordinator accepts'
      : `the coordinator returned ${status}`,
  )
}

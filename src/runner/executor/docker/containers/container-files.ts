import { IncomingMessage } from 'node:http'
import { posix } from 'node:path'
import { Readable } from 'node:stream'

import type { Container } from 'dockerode'

import type { ContainerFiles } from '../../../workspace/job-files.js'
import { engineFailure, isNotFound } from '../engine.js'

/** The archive calls of a container. The first call creates the container. */
export class DockerFiles implements ContainerFiles {
  constructor(private readonly container: () => Promise<Container>) {}

  async put(directory: string, archive: Readable, signal?: AbortSignal): Promise<void> {
    let broken: Error | undefined
    archive.once('error', (error) => (broken = error))
    try {
      const container = await this.container()
      signal?.throwIfAborted()
      await container.putArchive(archive, { path: directory, ...(signal ? { abortSignal: signal } : {}) })
    } catch (error) {
      signal?.throwIfAborted()
      throw broken ?? engineFailure(error, 'sending files to the container of the job')
    } finally {
      archive.destroy()
    }
  }

  async get(directory: string, name: string): Promise<Readable | undefined> {
    try {
      const container = await this.container()
      if (!(await isReachable(container, directory, name))) return undefined
      return Readable.from(await container.getArchive({ path: posix.join(directory, name) }))
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw engineFailure(error, 'fetching files from the container of the job')
    }
  }
}

/** Whether every component except the last is a directory. The engine would follow a link. */
async function isReachable(container: Container, directory: string, name: string): Promise<boolean> {
  const parents = name.split('/').slice(0, -1)
  for (let depth = 1; depth <= parents.length; depth++) {
    const path = posix.join(directory, ...parents.slice(0, depth))
    if (!(await isDirectory(container, path))) return false
  }
  return true
}

/** The directory bit of Go file modes. */
const DIRECTORY_BIT = 2 ** 31

/** The engine returns the mode in a header, as JSON in base64. */
async function isDirectory(container: Container, path: string): Promise<boolean> {
  const response: unknown = await container.infoArchive({ path })
  if (!(response instanceof IncomingMessage)) return false
  response.resume()
  const header = String(response.headers['x-docker-container-path-stat'])
  const stat: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  const mode = typeof stat === 'object' && stat !== null && 'mode' in stat ? Number(stat.mode) : 0
  return Math.floor(mode / DIRECTORY_BIT) % 2 === 1
}

import { IncomingMessage } from 'node:http'
import { posix } from 'node:path'
import { Readable } from 'node:stream'

import type { Container } from 'dockerode'

import type { ContainerFiles } from '../../../workspace/workspace.js'
import { engineFailure, isNotFound } from '../engine.js'

/** The archive calls of a container that is made by the first of them. */
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
      throw broken ?? engineFailure(error, 'files were sent to the container of the job')
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
      throw engineFailure(error, 'files were fetched from the container of the job')
    }
  }
}

/** Whether every component but the last is a directory: the engine would follow a link. */
async function isReachable(container: Container, directory: string, name: string): Promise<boolean> {
  const parents = name.split('/').slice(0, -1)
  for (let depth = 1; depth <= parents.length; depth++) {
    const path = posix.join(directory, ...parents.slice(0, depth))
    if (!(await isDirectory(container, path))) return false
  }
  return true
}

/** Of the modes of Go. */
const DIRECTORY_BIT = 2 ** 31

/** The engine says it in a header: JSON in base64. */
async function isDirectory(container: Container, path: string): Promise<boolean> {
  const answer: unknown = await container.infoArchive({ path })
  if (!(answer instanceof IncomingMessage)) return false
  answer.resume()
  const header = String(answer.headers['x-docker-container-path-stat'])
  const stat: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  const mode = typeof stat === 'object' && stat !== null && 'mode' in stat ? Number(stat.mode) : 0
  return Math.floor(mode / DIRECTORY_BIT) % 2 === 1
}

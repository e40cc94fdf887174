import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type Docker from 'dockerode'

import { readIfThere, replaceFile } from '../../../../lib/files.js'
import { untilAborted } from '../../../../lib/until-aborted.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { CredentialSource } from '../credentials/credential-sources.js'
import { findCredentials } from '../credentials/find-credentials.js'
import { repositoryOf } from '../credentials/registry-path.js'
import { engineWords } from '../engine.js'

interface PrivateAccess {
  docker: Docker
  credentials: readonly CredentialSource[]
  privateImages: PrivateImages
}

/**
 * Why a job may not have an image that is on the machine; undefined when it may. An image is open to every job when it
 * came to the machine without credentials, by whatever name, or with the runner's own that the runner still has. Any
 * other one is for those whose credentials, or none, open it at its registry now: the registry is asked.
 */
export async function refusalOf(
  access: PrivateAccess,
  references: readonly string[],
  log: JobLog,
  signal: AbortSignal,
): Promise<string | undefined> {
  const marks = await Promise.all(
    references.map((reference) => access.privateImages.openedBy(repositoryOf(reference))),
  )
  const isOpen = marks.some((mark, index) => mark === undefined && references[index]?.includes('@'))
  const marked = references.flatMap((reference, index) => {
    const openedBy = marks[index]
    return openedBy ? [{ reference, openedBy }] : []
  })
  if (isOpen || marked.length === 0) return undefined
  const refusals: string[] = []
  for (const { reference, openedBy } of marked) {
    const found = await findCredentials(access.credentials, reference, log)
    if (found?.givenBy === 'runner' && openedBy === 'runner') return undefined
    const asking = askRegistry(access.docker, reference, found?.auth)
    const refusal = await untilAborted(asking, signal)
    if (refusal === undefined) {
      if (!found) await access.privateImages.remove(repositoryOf(reference))
      return undefined
    }
    refusals.push(refusal)
  }
  return refusals.at(-1)
}

/** The engine asks the registry what the reference stands for, and downloads nothing. Answers why it is not told. */
async function askRegistry(
  docker: Docker,
  reference: string,
  auth: object | undefined,
): Promise<string | undefined> {
  try {
    await docker.getImage(reference).distribution(auth ? { authconfig: auth } : {})
    return undefined
  } catch (error) {
    return engineWords(error)
  }
}

type GivenBy = 'job' | 'runner'

/**
 * The repositories whose images this machine has because somebody had credentials for them: their images must not be
 * handed to those who have none, only because they are there. One small file each, so that any number of runners may
 * write at once; a file is there before the image is. Reading a file that is half written is impossible, as each is
 * renamed into its place.
 */
export class PrivateImages {
  /** `folder` undefined: nothing is remembered, and nothing is private. */
  constructor(private readonly folder: string | undefined) {}

  /** Who had credentials for the repository; undefined when it was open to everybody. */
  async openedBy(repository: string): Promise<GivenBy | undefined> {
    if (this.folder === undefined) return undefined
    const text = await readIfThere(this.fileOf(this.folder, repository))
    if (text === undefined) return undefined
    // What cannot be understood counts as the stricter of the two.
    return text.startsWith('runner ') ? 'runner' : 'job'
  }

  /** A repository that the runner's own credentials open stays marked so, whoever pulls from it later. */
  async add(repository: string, by: GivenBy): Promise<void> {
    if (this.folder === undefined || (await this.openedBy(repository)) === 'runner') return
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await replaceFile(this.fileOf(this.folder, repository), `${by} ${repository}\n`, { flush: true })
  }

  async remove(repository: string): Promise<void> {
    if (this.folder !== undefined) await rm(this.fileOf(this.folder, repository), { force: true })
  }

  private fileOf(folder: string, repository: string): string {
    return join(folder, createHash('sha256').update(repository).digest('hex'))
  }
}

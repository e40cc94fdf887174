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
 * Why a job must not use an image that is on the machine. Undefined if it may.
 *
 * An image is open to every job if any of its names was pulled without credentials. It is also open if it was
 * pulled with credentials of the runner that the runner still has. For any other image, the registry is asked
 * whether the credentials of the job, or no credentials, give access now.
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
    const asking = checkRegistryAccess(access.docker, reference, found?.auth)
    const refusal = await untilAborted(asking, signal)
    if (refusal === undefined) {
      if (!found) await access.privateImages.remove(repositoryOf(reference))
      return undefined
    }
    refusals.push(refusal)
  }
  return refusals.at(-1)
}

/**
 * Lets the engine resolve the reference at its registry, without a download. Returns the error if access is denied.
 */
async function checkRegistryAccess(
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
 * Records the repositories whose images were pulled with credentials. Jobs without access must not use such an
 * image only because it is on the machine. Each repository has a small file of its own, so that several runners can
 * write at once. The file is written before the image is pulled. It is renamed into place, so no reader sees a
 * partial file.
 */
export class PrivateImages {
  /** If `folder` is undefined, nothing is recorded and no image counts as private. */
  constructor(private readonly folder: string | undefined) {}

  /** The owner of the credentials for the repository. Undefined if it needed none. */
  async openedBy(repository: string): Promise<GivenBy | undefined> {
    if (this.folder === undefined) return undefined
    const text = await readIfThere(this.fileOf(this.folder, repository))
    if (text === undefined) return undefined
    // Unknown content counts as the stricter of the two.
    return text.startsWith('runner ') ? 'runner' : 'job'
  }

  /**
   * A repository that the credentials of the runner can access keeps that mark, even if a job pulls from it later.
   */
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

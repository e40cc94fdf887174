import type Docker from 'dockerode'

import { untilAborted } from '../../../../lib/until-aborted.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { CredentialSource } from '../credentials/credential-sources.js'
import { findCredentials } from '../credentials/find-credentials.js'
import { repositoryOf } from '../credentials/registry-path.js'
import { engineWords } from '../engine.js'
import type { PrivateImages } from './private-images.js'

export interface PrivateAccess {
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

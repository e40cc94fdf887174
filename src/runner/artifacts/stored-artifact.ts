import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

import type { UploadPlan } from './artifact-plan.js'
import { ArtifactTooLargeError } from './artifact-size.js'
import { type OpenContent, sendArtifact, type SendDeps, type SendResult } from './send-artifact.js'

/** An upload whose bytes are in a file of the host, for a coordinator that comes back later. Can be kept as JSON. */
export interface StoredArtifact {
  file: string
  plan: UploadPlan
}

/**
 * Writes the bytes of an upload to `file`, which is there only when it is complete: killed at any moment, this may be
 * done again. `prepareArtifact` gives plan and content.
 */
export async function storeArtifact(
  plan: UploadPlan,
  open: OpenContent,
  file: string,
  signal: AbortSignal,
): Promise<StoredArtifact> {
  const partial = `${file}.partial`
  try {
    await pipeline(await open(), createWriteStream(partial, { mode: 0o600, flush: true }), { signal })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  return { file, plan }
}

/** Sends what `storeArtifact` kept, with the same query. The file stays; whoever keeps it removes it. */
export async function sendStoredArtifact(deps: SendDeps, stored: StoredArtifact): Promise<SendResult> {
  return await sendArtifact(deps, stored.plan, async () => {
    const { size } = await stat(stored.file)
    if (size > (deps.limit ?? Infinity)) throw new ArtifactTooLargeError(deps.limit ?? 0, size)
    return createReadStream(stored.file)
  })
}

import { PassThrough } from 'node:stream'

import { linkSignals } from '../../../lib/link-signals.js'
import type { UploadPlan } from '../../artifacts/artifact-archive.js'
import type { JobSteps } from '../../job/job-steps.js'
import { writeAll } from './write-all.js'

interface Storing {
  content: PassThrough
  /** Ends when the bytes are stored, or with the error that prevents it. */
  stored: Promise<void>
  drop: AbortController
}

/** Stores artifacts that come from the helper process, for a later upload. */
export class ArtifactReceiver {
  private storing: Storing | undefined
  private dropped: Promise<void> = Promise.resolve()

  constructor(
    private readonly steps: Pick<JobSteps, 'storeArtifactForLater'>,
    private readonly signal: AbortSignal,
  ) {}

  async begin(plan: UploadPlan): Promise<void> {
    // Both write the same file.
    await this.dropped
    const content = new PassThrough()
    const drop = new AbortController()
    const either = linkSignals(this.signal, drop.signal)
    const stored = this.steps
      .storeArtifactForLater(plan, async () => content, either.signal)
      .finally(() => either.release())
    stored.catch(() => {}) // thrown by `end`
    content.on('error', () => {})
    this.storing = { content, stored, drop }
  }

  /** What cannot be stored any more is dropped. The helper gets the error at the end. */
  async write(bytes: Buffer): Promise<void> {
    const { content, stored } = this.storing ?? {}
    if (!content || content.destroyed) return
    await Promise.race([writeAll(content, bytes), stored]).catch(() => {})
  }

  async end(): Promise<void> {
    const { storing } = this
    this.storing = undefined
    storing?.content.end()
    await storing?.stored
  }

  async fail(error: Error): Promise<void> {
    const { storing } = this
    this.storing = undefined
    storing?.content.destroy(error)
    await storing?.stored.catch(() => {})
  }

  /** Removes what has come of an artifact. The helper sends it again. */
  drop(): void {
    const { storing } = this
    this.storing = undefined
    storing?.drop.abort(new Error('The connection to the helper was lost'))
    this.dropped = storing?.stored.catch(() => {}) ?? this.dropped
  }
}

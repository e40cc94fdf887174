import { LRUCache } from 'lru-cache'

import { MINUTE } from '../../../../lib/time-units.js'
import { SameLengthMasker } from '../../../../masking/same-length-masker.js'
import { findTraceSecrets, type TraceSecretsDeps } from './trace-secrets.js'

/** Memory limit for maskers that are kept between patches. */
const MAX_BYTES = 64 * 1024 * 1024
/** Milliseconds after which a masker without a patch is deleted: its job may have ended at another coordinator. */
const IDLE = 2 * MINUTE

/**
 * Maskers of the jobs that send their traces to this process. Runners mask traces too; this protects against
 * broken, modified or deceived runners.
 */
export class TraceMaskers {
  /**
   * By job token: a job that is dispatched again gets another one. Not a `Map`: when its entries
   * change often, V8 keeps deleted ones reachable until the next full garbage collection. A masker takes 20 KB.
   */
  private readonly maskers: LRUCache<string, SameLengthMasker>
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly deps: TraceSecretsDeps,
    maxBytes = MAX_BYTES,
  ) {
    this.maskers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ byteSize }) => byteSize,
      ttl: IDLE,
      updateAgeOnGet: true,
      ttlResolution: 0,
      perf: Date,
    })
  }

  async maskerOf(jobId: number, token: string): Promise<SameLengthMasker> {
    const known = this.maskers.get(token)
    if (known) return known
    const masker = new SameLengthMasker([token, ...(await findTraceSecrets(this.deps, jobId))])
    this.maskers.set(token, masker)
    this.timer ??= setInterval(() => this.deleteIdle(), IDLE).unref()
    return masker
  }

  /** Call it when the job ends. A later patch makes a new masker. */
  delete(token: string): void {
    this.maskers.delete(token)
  }

  private deleteIdle(): void {
    this.maskers.purgeStale()
    if (this.maskers.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}

import { SameLengthMasker } from '../../../../masking/same-length-masker.js'
import { findTraceSecrets, type TraceSecretsDeps } from './trace-secrets.js'

/** Memory limit for maskers that are kept between patches. */
const MAX_BYTES = 64 * 1024 * 1024
/** Milliseconds after which a masker without a patch is deleted: its job may have ended at another coordinator. */
const IDLE = 2 * 60_000

interface KeptMasker {
  masker: SameLengthMasker
  usedAt: number
}

/**
 * Maskers of the jobs that send their traces to this process. Runners mask traces too; this protects against
 * broken, modified or deceived runners.
 */
export class TraceMaskers {
  /** By job token, least recently used first. A job that is dispatched again gets another token. */
  private readonly maskers = new Map<string, KeptMasker>()
  private bytes = 0
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly deps: TraceSecretsDeps,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  async maskerOf(jobId: number, token: string): Promise<SameLengthMasker> {
    const known = this.maskers.get(token)?.masker
    const masker = known ?? new SameLengthMasker([token, ...(await findTraceSecrets(this.deps, jobId))])
    this.keep(token, masker)
    return masker
  }

  /** Call it when the job ends. A later patch makes a new masker. */
  delete(token: string): void {
    const kept = this.maskers.get(token)
    if (!kept) return
    this.maskers.delete(token)
    this.bytes -= kept.masker.byteSize
  }

  private keep(token: string, masker: SameLengthMasker): void {
    this.delete(token)
    this.maskers.set(token, { masker, usedAt: Date.now() })
    this.bytes += masker.byteSize
    for (const oldest of this.maskers.keys()) {
      if (this.bytes <= this.maxBytes) break
      this.delete(oldest)
    }
    this.timer ??= setInterval(() => this.deleteIdle(), IDLE).unref()
  }

  private deleteIdle(): void {
    for (const [token, { usedAt }] of this.maskers) if (Date.now() - usedAt >= IDLE) this.delete(token)
    if (this.maskers.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}

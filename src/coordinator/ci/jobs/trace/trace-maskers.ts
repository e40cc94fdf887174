import { SameLengthMasker } from '../../../../masking/same-length-masker.js'
import { findTraceSecrets, type TraceSecretsDeps } from './trace-secrets.js'

/** Memory limit for maskers that are kept between patches. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Maskers of the jobs that send their traces to this process. Runners mask traces too; this protects against
 * broken, modified or deceived runners.
 */
export class TraceMaskers {
  /** By job token, least recently used first. A job that is dispatched again gets another token. */
  private readonly maskers = new Map<string, SameLengthMasker>()
  private bytes = 0

  constructor(
    private readonly deps: TraceSecretsDeps,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  async maskerOf(jobId: number, token: string): Promise<SameLengthMasker> {
    const known = this.maskers.get(token)
    const masker = known ?? new SameLengthMasker([token, ...(await findTraceSecrets(this.deps, jobId))])
    this.keep(token, masker)
    return masker
  }

  private keep(token: string, masker: SameLengthMasker): void {
    if (!this.maskers.delete(token)) this.bytes += masker.byteSize
    this.maskers.set(token, masker)
    for (const [oldest, { byteSize }] of this.maskers) {
      if (this.bytes <= this.maxBytes) break
      this.maskers.delete(oldest)
      this.bytes -= byteSize
    }
  }
}

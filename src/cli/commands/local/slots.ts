import type { PlannedJob } from '../../../ci-config/plan.js'
import { type Deferred, deferred } from '../../../lib/deferred.js'

/** What counts of a job. */
interface SlotUser {
  planned: Pick<PlannedJob, 'trigger' | 'resourceGroup'>
}

/** What the pipelines of one run share: places for jobs that run at a time, and the resources that jobs hold alone. */
export class Slots {
  private taken = 0
  private readonly resources = new Set<string>()
  private change: Deferred<void> = deferred()

  constructor(private readonly size: number) {}

  /** Whether the job may run now; if so, it has what it needs until `release`. Trigger jobs need nothing. */
  take({ planned: { trigger, resourceGroup } }: SlotUser): boolean {
    if (trigger) return true
    if (this.taken >= this.size) return false
    if (resourceGroup !== undefined && this.resources.has(resourceGroup)) return false
    this.taken += 1
    if (resourceGroup !== undefined) this.resources.add(resourceGroup)
    return true
  }

  release({ planned: { trigger, resourceGroup } }: SlotUser): void {
    if (trigger) return
    this.taken -= 1
    if (resourceGroup !== undefined) this.resources.delete(resourceGroup)
    this.change.resolve()
    this.change = deferred()
  }

  /** Resolves with the next release. */
  released(): Promise<void> {
    return this.change.promise
  }
}

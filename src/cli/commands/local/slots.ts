import type { PlannedJob } from '../../../ci-config/plan.js'
import { type Deferred, deferred } from '../../../lib/deferred.js'

/** The relevant properties of a job. */
interface SlotUser {
  planned: Pick<PlannedJob, 'trigger' | 'resourceGroup'>
}

/** The resources that all pipelines of one run share: slots for concurrent jobs, and exclusive resource groups. */
export class Slots {
  private taken = 0
  private readonly resources = new Set<string>()
  private change: Deferred<void> = deferred()

  constructor(private readonly size: number) {}

  /**
   * Returns whether the job may run now. If so, it owns its slot and resource until `release`. Trigger jobs need
   * neither.
   */
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

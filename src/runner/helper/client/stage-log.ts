import type { JobLog } from '../../trace/job-log.js'
import { writeAll } from './write-all.js'

/** The log of a stage in a helper process: its bytes, and which stages it has entered. */
export class StageLog {
  private readonly entered = new Map<string, () => void>()

  constructor(private readonly log: JobLog) {}

  async write(bytes: Buffer): Promise<void> {
    await writeAll(this.log.output, bytes)
  }

  enter(stage: string): void {
    this.leave(stage)
    this.entered.set(stage, this.log.enterStage(stage))
  }

  leave(stage: string): void {
    this.entered.get(stage)?.()
    this.entered.delete(stage)
  }

  /** The connection was lost: what was written stays, and the work writes all of it again. */
  beginAgain(): void {
    this.log.warning('The connection to the helper of the job was lost. This stage begins again.')
    for (const stage of this.entered.keys()) void this.log.restOfSection(stage, async () => this.leave(stage))
  }
}

import type { Logger } from '../../lib/logger.js'
import type { RunnerSettings } from '../config/settings.js'
import { planRegistrations } from './plan-registrations.js'
import type { RegisteredRunner } from './registered-runner.js'
import type { RegistrationHealth, RegistrationView } from './registration-view.js'

interface Member {
  runner: RegisteredRunner
  isWanted: boolean
}

interface RegistrationsOptions {
  create: (entry: RunnerSettings['runners'][number], settings: RunnerSettings) => RegisteredRunner
  isPaused: (name: string) => boolean
  logger: Logger
}

/**
 * The entries of the settings at work. An entry that the settings do not name any more stays until its last job has
 * ended: if it comes back before that, its jobs and their numbers are still known.
 */
export class Registrations {
  private readonly members = new Set<Member>()
  private isDraining = false

  constructor(private readonly options: RegistrationsOptions) {}

  /** Begins what is new, changes what is there, and lets go of what is gone. */
  apply(settings: RunnerSettings): void {
    // By what they are now: a token may have been renewed since.
    const known = new Map([...this.members].map((member) => [member.runner.key, member]))
    const { wanted, removed, repeated } = planRegistrations(known.keys(), settings.runners)
    for (const { name } of repeated) {
      this.options.logger.warn({ runner: name }, 'The entry is there twice; the second one has no effect')
    }
    for (const [key, entry] of wanted) {
      const member = known.get(key)
      if (member) {
        member.runner.apply(entry, settings)
        member.isWanted = true
      } else {
        this.members.add({ runner: this.options.create(entry, settings), isWanted: true })
      }
    }
    for (const key of removed) this.release(known.get(key))
    this.poll()
  }

  /** Every entry asks for jobs unless something is against it. To be called when that may have changed. */
  poll(): void {
    for (const { runner, isWanted } of this.members.values()) {
      if (isWanted && !this.isDraining && !this.options.isPaused(runner.name)) runner.startPolling()
      else void runner.stopPolling()
    }
  }

  /** No entry asks for jobs any more; resolves when no request is open. */
  async drain(): Promise<void> {
    this.isDraining = true
    await Promise.all(this.all().map((runner) => runner.stop()))
  }

  all(): RegisteredRunner[] {
    return [...this.members.values()].map(({ runner }) => runner)
  }

  views(): RegistrationView[] {
    return [...this.members.values()].map((member) => this.viewOf(member))
  }

  health(): Promise<RegistrationHealth[]> {
    const members = [...this.members.values()]
    return Promise.all(
      members.map(async (member) => {
        const engineProblem = await member.runner.engineProblem()
        return { ...this.viewOf(member), engineProblem }
      }),
    )
  }

  private viewOf({ runner, isWanted }: Member): RegistrationView {
    const isPaused = this.options.isPaused(runner.name)
    return runner.view({ isWanted, isPaused, isDraining: this.isDraining })
  }

  private release(member: Member | undefined): void {
    if (!member?.isWanted) return
    member.isWanted = false
    void this.removeWhenIdle(member)
  }

  private async removeWhenIdle(member: Member): Promise<void> {
    await member.runner.stopPolling()
    await member.runner.idle()
    // It may have come back meanwhile.
    if (member.isWanted || !this.members.delete(member)) return
    await member.runner.stop()
    await member.runner.close()
  }
}

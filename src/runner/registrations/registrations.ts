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
  create: (registration: RunnerSettings['runners'][number], settings: RunnerSettings) => RegisteredRunner
  isPaused: (name: string) => boolean
  logger: Logger
}

/**
 * The running registrations. A registration that is removed from the settings stays until its last job has ended.
 * If it is added again before that, its jobs and their numbers are still known.
 */
export class Registrations {
  private readonly members = new Set<Member>()
  private isDraining = false

  constructor(private readonly options: RegistrationsOptions) {}

  /** Starts new registrations, updates existing ones, and stops removed ones. */
  apply(settings: RunnerSettings): void {
    // Uses the current keys, because a token may have been renewed.
    const known = new Map([...this.members].map((member) => [member.runner.key, member]))
    const { wanted, removed, repeated } = planRegistrations(known.keys(), settings.runners)
    for (const { name } of repeated) {
      this.options.logger.warn(
        { runner: name },
        'The registration appears twice; the second one has no effect',
      )
    }
    for (const [key, registration] of wanted) {
      const member = known.get(key)
      if (member) {
        member.runner.apply(registration, settings)
        member.isWanted = true
      } else {
        this.members.add({ runner: this.options.create(registration, settings), isWanted: true })
      }
    }
    for (const key of removed) this.release(known.get(key))
    this.poll()
  }

  /** Starts polling for every registration that may request jobs. Call it when that may have changed. */
  poll(): void {
    for (const { runner, isWanted } of this.members.values()) {
      if (isWanted && !this.isDraining && !this.options.isPaused(runner.name)) runner.startPolling()
      else void runner.stopPolling()
    }
  }

  /** Stops polling for all registrations. Resolves when no request is open. */
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
    await member.runner.endHolds()
    await member.runner.idle()
    // Of the jobs that ran until now.
    if (!member.isWanted) await member.runner.endHolds()
    // The registration may have been added again in the meantime.
    if (member.isWanted || !this.members.delete(member)) return
    await member.runner.stop()
    await member.runner.close()
  }
}

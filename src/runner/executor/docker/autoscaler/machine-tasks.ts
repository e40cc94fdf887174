import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import type { Ledger } from './ledger/ledger.js'
import { type Connection, type InstanceRecord, inState } from './model/instance.js'
import type { Plugin } from './plugins/plugin.js'
import type { Probe } from './probe.js'

/** Milliseconds between two attempts to connect to a machine that starts. */
const CONNECT_PAUSE = 500

export interface MachineTasksParts {
  ledger: Ledger
  plugin: Plugin
  probe: Probe
  /** Called when a task ended, and when it changed a record. */
  onChange: () => void
  /** Called for a machine that could not be created, and for one that became ready. */
  onCreated: (isReady: boolean, seconds: number) => void
  logger: Logger
}

interface Task {
  stop: AbortController
  ended: Promise<void>
}

/** What is done with single machines: one task for each at a time. A task never rejects. */
export class MachineTasks {
  private readonly tasks = new Map<string, Task>()
  private readonly deletions = new Map<string, number>()

  constructor(private readonly parts: MachineTasksParts) {}

  isBusy(name: string): boolean {
    return this.tasks.has(name)
  }

  /** When an attempt to delete the machine ended, in milliseconds since 1970. */
  deletedAt(name: string): number | undefined {
    return this.deletions.get(name)
  }

  /** Must be called when the record of the machine is removed. Ends the wait for a machine that was lost as it started. */
  forget(name: string): void {
    this.deletions.delete(name)
    this.tasks.get(name)?.stop.abort()
  }

  /** Creates a machine that is recorded, and waits until it is ready. */
  create(name: string): void {
    this.start(name, async (signal) => {
      const { plugin, ledger } = this.parts
      const { instance } = await plugin.create(name, signal)
      await ledger.update(name, (record) => ({ ...inState(record, 'starting', Date.now()), instance }))
      this.parts.onChange()
      await this.untilReady(name, signal)
    })
  }

  /** Waits until a machine is ready that exists. */
  connect(name: string): void {
    this.start(name, (signal) => this.untilReady(name, signal))
  }

  /** Deletes a machine whose record says so. A creation that is still under way is ended first. */
  delete(name: string): void {
    const creation = this.tasks.get(name)
    creation?.stop.abort()
    void (creation?.ended ?? Promise.resolve()).then(() =>
      this.start(name, (signal) => this.remove(name, signal)),
    )
  }

  /** Ends all tasks. Resolves when none runs. */
  async stop(): Promise<void> {
    for (const { stop } of this.tasks.values()) stop.abort()
    await Promise.all([...this.tasks.values()].map(({ ended }) => ended))
  }

  private start(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.tasks.has(name)) return
    const stop = new AbortController()
    const ended = work(stop.signal)
      .catch((error: unknown) => this.recordFailure(name, error, stop.signal))
      .finally(() => {
        this.tasks.delete(name)
        this.parts.onChange()
      })
    this.tasks.set(name, { stop, ended })
  }

  private async untilReady(name: string, signal: AbortSignal): Promise<void> {
    const { ledger, onCreated, logger } = this.parts
    const connection = await this.untilConnected(name, signal)
    // Its state may have changed while its engine was asked.
    if (!connection || ledger.get(name)?.state !== 'starting') return
    const now = Date.now()
    await ledger.update(name, (record) => ({
      ...inState(record, 'ready', now),
      readyAt: now,
      changedAt: now,
      connection,
    }))
    const seconds = this.ageOf(name, now)
    onCreated(true, seconds)
    logger.info({ instance: name, seconds }, 'A machine is ready for jobs')
  }

  /** Tries until the machine is ready or the task is ended. The plan ends it if that takes too long. */
  private async untilConnected(name: string, signal: AbortSignal): Promise<Connection | undefined> {
    const { ledger, plugin, probe, logger } = this.parts
    const isStopped = () => signal.aborted
    for (let isFirst = true; !isStopped(); isFirst = false) {
      const record = ledger.get(name)
      if (record?.state !== 'starting') return undefined
      try {
        const connection = await plugin.connect(record, signal)
        await probe.untilReady(name, connection, signal)
        return connection
      } catch (error) {
        const level = isFirst ? 'info' : 'debug'
        if (!isStopped()) logger[level]({ instance: name }, `A machine is not ready yet: ${messageOf(error)}`)
      }
      await pause(CONNECT_PAUSE, signal)
    }
    return undefined
  }

  private async remove(name: string, signal: AbortSignal): Promise<void> {
    const record = this.parts.ledger.get(name)
    if (record?.state !== 'deleting') return
    try {
      await this.parts.plugin.delete(record, signal)
    } finally {
      this.deletions.set(name, Date.now())
    }
  }

  private async recordFailure(name: string, error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { ledger, logger, onCreated } = this.parts
    const wasCreating = ledger.get(name)?.state === 'creating'
    const action = wasCreating ? 'created' : 'deleted'
    logger.error({ instance: name, err: error }, `A machine could not be ${action}: ${messageOf(error)}`)
    if (!wasCreating) return
    onCreated(false, this.ageOf(name, Date.now()))
    // The command may have had its effect although it failed.
    await ledger.update(name, (record: InstanceRecord) =>
      inState(record, 'deleting', Date.now(), `it could not be created: ${messageOf(error)}`),
    )
  }

  /** Seconds since the record of the machine was made. */
  private ageOf(name: string, now: number): number {
    return Math.round((now - (this.parts.ledger.get(name)?.createdAt ?? now)) / 1000)
  }
}

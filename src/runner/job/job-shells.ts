import { deferred } from '../../lib/deferred.js'
import { pause } from '../../lib/pause.js'
import { SECOND } from '../../lib/time-units.js'
import type { WantedTerminal } from '../../protocol/wanted-terminal.js'
import type { EnvironmentInterior } from '../executor/executor.js'

/** Where a shell opens. */
export interface ShellPlace {
  /** Undefined while there is no container, or if the executor opens no shells. */
  interior: EnvironmentInterior | undefined
  /** Aborts when the scripts of the job are over. */
  signal: AbortSignal
}

/** Opens a shell, and connects it with the person who asked for it. Does not throw. */
type OpenShell = (wanted: WantedTerminal, place: ShellPlace) => void

/** The coordinator wants a shell for half a minute, and a person opens ten at once. */
const MAX_KNOWN = 20
/** Milliseconds that a shell waits for the container of a job that has just begun. People wait twice as long for a shell. */
const CONTAINER_WAIT = 15 * SECOND

/** The shells in a job that runs, for the people who asked the coordinator for them. */
export class JobShells {
  private readonly ending = new AbortController()
  private readonly opened: string[] = []
  private readonly entered = deferred()
  private interior: EnvironmentInterior | undefined

  /** `areOpened`: whether the settings of the runner allow shells now. */
  constructor(
    private readonly open: OpenShell,
    private readonly areOpened: () => boolean,
  ) {}

  /** The IDs of those that were opened last. Undefined if there are to be none. */
  get known(): readonly string[] | undefined {
    return this.areOpened() && !this.ending.signal.aborted ? this.opened : undefined
  }

  /** From now on, shells open in this container, also those that wait for it. Undefined: the executor opens none. */
  enter(interior: EnvironmentInterior | undefined): void {
    this.interior = interior
    this.entered.resolve()
  }

  receive(wanted: readonly WantedTerminal[]): void {
    for (const shell of wanted) {
      if (this.opened.includes(shell.id)) continue
      this.opened.push(shell.id)
      if (this.opened.length > MAX_KNOWN) this.opened.shift()
      void this.openWithContainer(shell)
    }
  }

  private async openWithContainer(shell: WantedTerminal): Promise<void> {
    const { signal } = this.ending
    const stop = new AbortController()
    await Promise.race([this.entered.promise, pause(CONTAINER_WAIT, AbortSignal.any([signal, stop.signal]))])
    stop.abort()
    this.open(shell, { interior: this.interior, signal })
  }

  /** Ends them. May be called twice. */
  end(): void {
    this.ending.abort()
  }
}

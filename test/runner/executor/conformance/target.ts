import type Docker from 'dockerode'

import type { Image } from './images.js'
import type { SettingsTable, TargetName } from './row.js'

/** Something that runs jobs, and how to set up a runner for it. */
export interface Target {
  name: TargetName
  /** Why this machine cannot start it. Undefined if it can. */
  missing: string | undefined
  /** Called once, before the first row. What it starts is ended by `onFinished`. */
  start(): Promise<RunningTarget>
}

export interface RunningTarget {
  /** Settings in `[[runners]]` and `[runners.docker]`, with the keys of the settings file. */
  runner: SettingsTable
  docker: SettingsTable
  /** The engines at which jobs may run: nothing of a job may be left there. */
  engines: readonly Docker[]
  /** Makes the image available at every engine. May be called several times. */
  provide(image: Image): Promise<void>
}

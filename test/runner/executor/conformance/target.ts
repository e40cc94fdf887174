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
  /** The engines at which jobs run, or those that can do the same. */
  engines: readonly Docker[]
  /** Present if jobs are pods of a cluster. */
  cluster?: RowCluster
  /** Makes the images of a row available at every engine. Called before the settings are read. */
  provide(images: readonly Image[]): Promise<void>
  /** What the runner creates its engines with. Without it, jobs run at `engines`. */
  machines?: Machines
}

/** The cluster in which the jobs of a row run. */
interface RowCluster {
  /** Settings in `[runners.kubernetes]`. */
  settings: SettingsTable
  /** What a runner with this system ID has left there. */
  leftovers(systemId: string): Promise<string[]>
  /** Removes its pods, as a user of the cluster would. */
  removePods(systemId: string): Promise<void>
}

/** The machines of a runner whose `data_dir` is `data`. */
export interface Machines {
  engines(data: string): Promise<Docker[]>
  removeAll(data: string): Promise<void>
}

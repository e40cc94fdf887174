import type { EngineSettings } from '../settings.js'

/** A machine with a Docker engine. */
export interface DockerHost {
  /** Unique and stable: logs and journals name the machine by it. */
  name: string
  /** Address and files of the connection, as `[runners.docker]` has them. */
  engine: EngineSettings
  /** Maximum number of jobs at once. */
  concurrent: number
  /** Share of the jobs, compared with other hosts. */
  weight: number
}

/** The machines that serve a registration. They may change at any time. */
export interface HostSource {
  /** Hosts that may get new jobs now. */
  readonly hosts: readonly DockerHost[]
  /**
   * Jobs at once, with those on hosts that the source would add for them. A job waits for such a host until its
   * preparation times out. Absent: what `hosts` run at once.
   */
  readonly capacity?: number
  /**
   * Whether a job that is held keeps its place on its host, because a host may be meant for one job. Absent means that
   * another job gets the place.
   */
  readonly keepsPlacesOfHeldJobs?: boolean
  /** Calls `listener` after each change of `hosts` or `capacity`. Returns a function that ends this. */
  onChange(listener: () => void): () => void
  /** The number of jobs that wait for a host changed. Absent if that makes no difference. */
  jobsWaiting?(count: number): void
  /** A job was placed on a host, or adopted there. */
  jobStarted(host: string, jobId: number): void
  /** The engine of a host ceased to respond. Absent if that makes no difference. */
  hostAway?(host: string): void
  /** The environment of a job was removed from its host. */
  jobEnded(host: string, jobId: number): void
  /** A host by its name, whether it may get jobs or not. Undefined if it no longer exists: its jobs fail then. */
  find(name: string): DockerHost | undefined
}

import type { GitInfo } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import type { CloneAddress } from './clone-address.js'
import type { SourceSettings } from './git-flags.js'
import type { HostRepository } from './host-repository.js'
import type { WorkspaceLayout } from './layout.js'

/** The context of the steps that prepare the sources. */
export interface Sources {
  layout: WorkspaceLayout
  repository: HostRepository
  git: GitInfo
  settings: SourceSettings
  objectFormat: string
  address: CloneAddress
  /** The source of the fetch: `address`, or a repository on this machine. */
  origin: CloneAddress
  userAgent: string
  /** Whether git-lfs is installed. */
  hasLfs: boolean
  log: JobLog
  signal: AbortSignal
}

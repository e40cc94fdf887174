import type { AllowedHost } from '../../egress/egress-rules.js'

/** How to obtain the sources of a job, apart from their URL and commit (runner protocol, 7.9). */
export interface SourceSettings {
  /** If false, only fetches and does not change the work tree. */
  checkout: boolean
  /** Checked flags of `git clean`. Undefined keeps the files of the last job. */
  cleanFlags: string[] | undefined
  /** Checked flags of `git fetch`. */
  fetchFlags: string[]
  /** Undefined: directories of submodules stay empty. */
  submodules: SubmoduleSettings | undefined
  /** Whether pointers of Git LFS are replaced by their files. */
  isLfsWanted: boolean
  /** URLs of the coordinator other than that of the repository: `https://ci.example.com`. */
  serverUrls: string[]
  /** Hosts in the local network that submodules may come from, in addition to the coordinator's. */
  allowedLocalHosts: readonly AllowedHost[]
}

export interface SubmoduleSettings {
  isRecursive: boolean
  /** Number of commits of history. 0 means all. */
  depth: number
  /** Pathspecs that select submodules. None selects all. */
  paths: string[]
  /** Whether to use the tip of the branch in `.gitmodules` instead of the recorded commit. */
  isRemote: boolean
  /** Whether to convert SSH addresses into HTTPS URLs. */
  forceHttps: boolean
}

export const DEFAULT_SOURCE_SETTINGS: SourceSettings = {
  checkout: true,
  cleanFlags: ['-ffdx'],
  fetchFlags: ['--prune', '--quiet'],
  submodules: undefined,
  isLfsWanted: true,
  serverUrls: [],
  allowedLocalHosts: [],
}

import type { AllowedHost } from '../../egress/egress-rules.js'

/** How the sources of a job are to be had, beside their address and their commit (runner protocol, 7.9). */
export interface SourceSettings {
  /** False leaves the work tree as it is and only fetches. */
  checkout: boolean
  /** Checked flags of `git clean`; undefined = what the last job left stays. */
  cleanFlags: string[] | undefined
  /** Checked flags of `git fetch`. */
  fetchFlags: string[]
  /** Undefined = directories of submodules stay empty. */
  submodules: SubmoduleSettings | undefined
  /** Whether pointers of Git LFS become the files that they stand for. */
  isLfsWanted: boolean
  /** Addresses, besides that of the repository, at which the coordinator is known: `https://ci.example.com`. */
  serverUrls: string[]
  /** Hosts of the local network that submodules may come from, beside the coordinator's. */
  allowedLocalHosts: readonly AllowedHost[]
}

export interface SubmoduleSettings {
  isRecursive: boolean
  /** Commits of history; 0 = all. */
  depth: number
  /** Pathspecs that say which ones; none = all. */
  paths: string[]
  /** The tip of the branch that `.gitmodules` names takes the place of the commit that is recorded. */
  isRemote: boolean
  /** Addresses of SSH are turned into those of HTTPS. */
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

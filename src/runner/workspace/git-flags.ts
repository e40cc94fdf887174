import type { AllowedHost } from '../../egress/egress-rules.js'

/** The result of checking the flags of a job: those for git, and those that were removed. */
export interface CheckedFlags {
  flags: string[]
  refused: string[]
}

/**
 * The allowed flags of `GIT_FETCH_EXTRA_FLAGS`, and whether they take a value. These can neither start a program
 * nor write outside the repository. Git runs on the host, where a job must not choose what is run.
 */
const FETCH_FLAGS: FlagTable = {
  ...plain(
    '--prune',
    '-p',
    '--prune-tags',
    '-P',
    '--no-prune',
    '--quiet',
    '-q',
    '--verbose',
    '-v',
    '--tags',
    '-t',
  ),
  ...plain(
    '--no-tags',
    '-n',
    '--force',
    '-f',
    '--atomic',
    '--progress',
    '--no-progress',
    '--unshallow',
    '-4',
    '-6',
  ),
  ...plain(
    '--update-shallow',
    '--ipv4',
    '--ipv6',
    '--no-recurse-submodules',
    '--no-auto-gc',
    '--no-show-forced-updates',
  ),
  ...plain(
    '--no-auto-maintenance',
    '--show-forced-updates',
    '--no-write-fetch-head',
    '--keep',
    '-k',
    '-a',
    '--append',
  ),
  ...valued(
    '--depth',
    '--deepen',
    '--shallow-since',
    '--shallow-exclude',
    '--jobs',
    '-j',
    '--negotiation-tip',
  ),
}

const CLEAN_FLAGS: FlagTable = {
  ...plain('-f', '--force', '-d', '-x', '-X', '-q', '--quiet', '-n', '--dry-run'),
  ...valued('-e', '--exclude'),
}

/** The flags that are safe in `git submodule update`, including those that have no effect here. */
const SUBMODULE_FLAGS: FlagTable = {
  ...plain('--remote', '--force', '-f', '--checkout', '--init', '--recursive', '--progress', '--quiet', '-q'),
  ...plain(
    '--no-fetch',
    '-N',
    '--single-branch',
    '--no-single-branch',
    '--recommend-shallow',
    '--no-recommend-shallow',
  ),
  ...valued('--depth', '--jobs', '-j'),
}

type FlagTable = Record<string, 'plain' | 'valued'>

export function checkFetchFlags(text: string): CheckedFlags {
  return checkFlags(words(text), FETCH_FLAGS)
}

/** Words that are not flags are paths to clean. They follow `--`. */
export function checkCleanFlags(text: string): CheckedFlags {
  const { flags, refused } = checkFlags(words(text), CLEAN_FLAGS)
  const paths = refused.filter((word) => !word.startsWith('-'))
  return {
    flags: paths.length === 0 ? flags : [...flags, '--', ...paths],
    refused: refused.filter((word) => word.startsWith('-') && word !== '--'),
  }
}

export function checkSubmoduleFlags(text: string): CheckedFlags {
  return checkFlags(words(text), SUBMODULE_FLAGS)
}

/** Splits at white space, without support for quotes, like the reference runner. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function checkFlags(given: string[], table: FlagTable): CheckedFlags {
  const checked: CheckedFlags = { flags: [], refused: [] }
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? ''
    const found = splitShortFlags(word, table)
    if (!found) checked.refused.push(word)
    else {
      checked.flags.push(...found)
      const value = given[at + 1]
      if (table[found.at(-1) ?? ''] === 'valued' && value !== undefined) {
        checked.flags.push(value)
        at++
      }
    }
  }
  return checked
}

/**
 * Splits `-ffdx` into its letters and keeps `--name=value`. Returns undefined for a flag that is not in the table.
 */
function splitShortFlags(word: string, table: FlagTable): string[] | undefined {
  if (Object.hasOwn(table, word)) return [word]
  if (word.startsWith('--')) {
    const name = word.slice(0, word.indexOf('='))
    return word.includes('=') && Object.hasOwn(table, name) && table[name] === 'valued' ? [word] : undefined
  }
  if (!word.startsWith('-') || word.length < 3) return undefined
  const [head, rest] = [word.slice(0, 2), word.slice(2)]
  if (!Object.hasOwn(table, head)) return undefined
  if (table[head] === 'valued') return [word]
  const following = splitShortFlags(`-${rest}`, table)
  return following && [head, ...following]
}

function plain(...names: string[]): FlagTable {
  return Object.fromEntries(names.map((name) => [name, 'plain' as const]))
}

function valued(...names: string[]): FlagTable {
  return Object.fromEntries(names.map((name) => [name, 'valued' as const]))
}

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

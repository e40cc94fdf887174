import { booleanSetting } from '../../variables/variable-settings.js'
import { SourcesError } from '../../workspace/errors.js'
import {
  checkCleanFlags,
  type CheckedFlags,
  checkFetchFlags,
  checkSubmoduleFlags,
  words,
} from '../../workspace/git-flags.js'
import {
  DEFAULT_SOURCE_SETTINGS,
  type SourceSettings,
  type SubmoduleSettings,
} from '../../workspace/source-settings.js'

type Values = ReadonlyMap<string, string>
type Warn = (text: string) => void

/**
 * The settings for the sources in the variables of a job (runner protocol, 7.9). Git flags that would let a job run
 * a program on the host are removed with a warning. `depth` is the default depth of the job's own repository.
 */
export function sourceSettings(
  values: Values,
  depth: number,
  warn: Warn,
): Omit<SourceSettings, 'allowedLocalHosts'> {
  return {
    checkout: booleanSetting(values, 'GIT_CHECKOUT', true, warn),
    cleanFlags: flagsSetting(values, 'GIT_CLEAN_FLAGS', checkCleanFlags, warn, {
      otherwise: DEFAULT_SOURCE_SETTINGS.cleanFlags,
      none: undefined,
    }),
    fetchFlags: flagsSetting(values, 'GIT_FETCH_EXTRA_FLAGS', checkFetchFlags, warn, {
      otherwise: DEFAULT_SOURCE_SETTINGS.fetchFlags,
      none: [],
    }),
    submodules: submoduleSettings(values, depth, warn),
    isLfsWanted: !booleanSetting(values, 'GIT_LFS_SKIP_SMUDGE', false, warn),
    serverUrls: [values.get('CI_SERVER_URL') ?? ''].filter((url) => url !== ''),
  }
}

function submoduleSettings(values: Values, depth: number, warn: Warn): SubmoduleSettings | undefined {
  const strategy = values.get('GIT_SUBMODULE_STRATEGY') ?? ''
  if (strategy === '' || strategy === 'none') return undefined
  if (strategy !== 'normal' && strategy !== 'recursive') {
    throw new SourcesError(
      `GIT_SUBMODULE_STRATEGY: "${strategy}" is not one of none, normal, recursive`,
      undefined,
    )
  }
  const { flags, refused } = checkSubmoduleFlags(values.get('GIT_SUBMODULE_UPDATE_FLAGS') ?? '')
  warnOfRefused('GIT_SUBMODULE_UPDATE_FLAGS', refused, warn)
  return {
    isRecursive: strategy === 'recursive' || flags.includes('--recursive'),
    depth: depthFlag(flags) ?? depthSetting(values, depth, warn),
    paths: pathsSetting(values),
    isRemote: flags.includes('--remote'),
    forceHttps: booleanSetting(values, 'GIT_SUBMODULE_FORCE_HTTPS', false, warn),
  }
}

function flagsSetting<T>(
  values: Values,
  name: string,
  check: (text: string) => CheckedFlags,
  warn: Warn,
  { otherwise, none }: { otherwise: string[] | T; none: T },
): string[] | T {
  const text = values.get(name) ?? ''
  if (text.trim() === '') return otherwise
  if (text.trim() === 'none') return none
  const { flags, refused } = check(text)
  warnOfRefused(name, refused, warn)
  return flags
}

function warnOfRefused(name: string, refused: string[], warn: Warn): void {
  for (const flag of refused) warn(`${name}: "${flag}" is not allowed on this runner and has no effect`)
}

function depthFlag(flags: string[]): number | undefined {
  const at = flags.findIndex((flag) => flag === '--depth' || flag.startsWith('--depth='))
  if (at < 0) return undefined
  const depth = Number(flags[at]?.split('=')[1] ?? flags[at + 1])
  return Number.isInteger(depth) && depth > 0 ? depth : undefined
}

function depthSetting(values: Values, otherwise: number, warn: Warn): number {
  const text = values.get('GIT_SUBMODULE_DEPTH') ?? ''
  if (text === '') return otherwise
  if (/^\d+$/.test(text)) return Number(text)
  warn(`GIT_SUBMODULE_DEPTH: "${text}" is not a number, using ${otherwise}`)
  return otherwise
}

function pathsSetting(values: Values): string[] {
  const paths = words(values.get('GIT_SUBMODULE_PATHS') ?? '')
  if (!paths.includes(':(exclude)')) return paths
  throw new SourcesError(
    'GIT_SUBMODULE_PATHS: ":(exclude)" must be followed by a path without spaces',
    undefined,
  )
}

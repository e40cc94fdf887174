/** How the value of a key is written, in the file and as a flag. */
export type KeyKind =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'list'
  /** One string, or a list of them. */
  | 'one-or-more'
  | 'map'
  | 'switches'
  | 'table'
  | 'tables'

/** A key of a `[[runners]]` table that a flag can give as well. */
export interface KnownKey {
  /** From the table of the runner inwards: `['docker', 'cap_add']`. */
  path: readonly string[]
  kind: KeyKind
  help: string
  /** `--docker-cap-add` */
  flag: string
  /** Another spelling of the flag, where the reference runner leaves its own rule. */
  alias?: string
  /** `DOCKER_CAP_ADD` */
  variable: string
}

/** What a key leaves to the rule, and what it does not. */
export type KeyText = [kind: KeyKind, help: string, exceptions?: Partial<KnownKey>]

/**
 * Keys of one table, in their order: flags are the prefix and the key with dashes, variables the same in capitals with
 * underscores (runner protocol, 9.6).
 */
export function keysOf(
  path: readonly string[],
  prefix: { flag: string; variable: string },
  keys: Record<string, KeyText>,
): KnownKey[] {
  return Object.entries(keys).map(([key, [kind, help, exceptions]]) => {
    const words = wordsOf(key)
    return {
      path: [...path, key],
      kind,
      help,
      flag: `--${[...prefixWords(prefix.flag, '-'), ...words].join('-')}`,
      variable: [...prefixWords(prefix.variable, '_'), ...words].join('_').toUpperCase(),
      ...exceptions,
    }
  })
}

function prefixWords(prefix: string, separator: string): string[] {
  return prefix === '' ? [] : prefix.split(separator)
}

/** `ServerSideEncryptionKeyID`, `cap_add` and `tls-ca-file` as words in small letters. */
function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
}

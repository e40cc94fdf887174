/** The format of the value of a key, in the file and as a flag. */
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

/** A key of a `[[runners]]` table that can also be given as a flag. */
export interface KnownKey {
  /** Path from the table of the runner: `['docker', 'cap_add']`. */
  path: readonly string[]
  kind: KeyKind
  help: string
  /** For example `--docker-cap-add`. */
  flag: string
  /** Alternative name of the flag, where the reference runner deviates from its own rule. */
  alias?: string
  /** For example `DOCKER_CAP_ADD`. */
  variable: string
}

/** The properties of a key, with exceptions to the naming rule. */
export type KeyText = [kind: KeyKind, help: string, exceptions?: Partial<KnownKey>]

/**
 * The keys of one table, in their order. A flag is the prefix and the key with dashes. The variable is the same in
 * capitals with underscores (runner protocol, 9.6).
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

/** Splits `ServerSideEncryptionKeyID`, `cap_add` and `tls-ca-file` into lower-case words. */
function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
}

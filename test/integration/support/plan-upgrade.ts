export interface UpgradePlan {
  /** The commit whose program is upgraded. */
  from: string
  /** Whether this version gets one more migration, because nothing has changed the schema since `from`. */
  addsMigration: boolean
}

export interface UpgradeFacts {
  /** Tags of releases in the history of this commit. */
  tags: readonly string[]
  /** Migrations of the latest release whose schema is kept. */
  released: readonly string[]
  /** Migrations of this version. */
  current: readonly string[]
}

/**
 * What this version is upgraded from: the last release. Before the first one, that is this commit. Pure. Throws where the
 * schema has changed since a release without a tag, as in a clone without tags.
 */
export function planUpgrade({ tags, released, current }: UpgradeFacts): UpgradePlan {
  const addsMigration = current.length === released.length
  const last = tags.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1)
  if (last !== undefined) return { from: last, addsMigration }
  if (addsMigration) return { from: 'HEAD', addsMigration }
  throw new Error('The schema has changed since the last release, whose tag is missing: git fetch --tags')
}

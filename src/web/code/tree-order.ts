import type { TreeEntry } from '../../coordinator/hosting/repository-contents/schema.js'

type Ordered = Pick<TreeEntry, 'name' | 'type'>

/** Folders first, then files and submodules, each by name as people sort: `v2` before `v10`. */
export function inTreeOrder<Entry extends Ordered>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => rank(a) - rank(b) || NAMES.compare(a.name, b.name))
}

const NAMES = new Intl.Collator('en', { numeric: true })

function rank({ type }: Ordered): number {
  return type === 'tree' ? 0 : 1
}

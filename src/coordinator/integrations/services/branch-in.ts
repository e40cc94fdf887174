import type { Fields } from './fields.js'
import type { Settings } from './settings.js'

/** The branch of a push; undefined for other events. */
export function branchIn(event: Fields): string | undefined {
  return /^refs\/heads\/(.+)$/.exec(event.text('ref'))?.[1]
}

/** Whether the setting `restrict_to_branch`, names with commas between them, includes the branch of a push. */
export function includesBranch(settings: Settings, event: Fields): boolean {
  const names = settings
    .text('restrict_to_branch')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 || names.includes(branchIn(event) ?? '')
}

import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import type { Transaction } from '../../database/transaction.js'
import { invalidRecord } from '../../http/errors.js'
import { holdsOfVisibility } from './store.js'

type Visibility = NamespaceRow['visibility']

const BY_OPENNESS: Visibility[] = ['private', 'internal', 'public']

function isMoreOpen(one: Visibility, other: Visibility): boolean {
  return BY_OPENNESS.indexOf(one) > BY_OPENNESS.indexOf(other)
}

/** Error message if a group may not have this visibility in the parent; undefined if it may. */
export function problemInParent(
  visibility: Visibility,
  parent: Pick<NamespaceRow, 'visibility'> | undefined,
): string | undefined {
  if (!parent || !isMoreOpen(visibility, parent.visibility)) return undefined
  return `${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`
}

/** The usual visibility of new groups, or that of the parent if it is lower. */
export function usualVisibility(
  usual: Visibility,
  parent: Pick<NamespaceRow, 'visibility'> | undefined,
): Visibility {
  return parent && isMoreOpen(usual, parent.visibility) ? parent.visibility : usual
}

/** A group must not be more visible than its parent, nor less visible than its contents. */
export async function refuseVisibility(
  tx: Transaction,
  group: NamespaceRow,
  visibility: Visibility,
  parent: NamespaceRow | undefined,
): Promise<void> {
  const problem = problemInParent(visibility, parent) ?? (await problemWithContent(tx, group, visibility))
  if (problem !== undefined) throw invalidRecord({ visibility_level: [problem] })
}

async function problemWithContent(
  tx: Transaction,
  { id }: NamespaceRow,
  visibility: Visibility,
): Promise<string | undefined> {
  const tooOpen = BY_OPENNESS.filter((other) => isMoreOpen(other, visibility))
  const { projects, groups } = await holdsOfVisibility(tx, id, tooOpen)
  if (projects)
    return `${visibility} is not allowed since this group contains projects with higher visibility.`
  if (groups) return `${visibility} is not allowed since there are sub-groups with higher visibility.`
  return undefined
}

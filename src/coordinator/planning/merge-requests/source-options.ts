import type { Updateable } from 'kysely'

import type { User } from '../../access/caller.js'
import type { MergeRequestTable } from '../../database/tables/merge-requests.js'
import type { Transaction } from '../../database/transaction.js'
import { pusherToSource } from '../access/pusher-to-source.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

type SourceColumns = Pick<
  Updateable<MergeRequestTable>,
  'force_remove_source_branch' | 'remove_source_branch_by_id' | 'allow_collaboration' | 'collaboration_by_id'
>

/** The columns of what is to happen in the source project, for the user who wants it; undefined = no change. */
export function sourceOptions(
  { remove, collaborate }: { remove?: boolean | undefined; collaborate?: boolean | undefined },
  { id }: Pick<User, 'id'>,
): SourceColumns {
  return {
    ...(remove !== undefined && {
      force_remove_source_branch: remove,
      remove_source_branch_by_id: remove ? id : null,
    }),
    ...(collaborate !== undefined && {
      allow_collaboration: collaborate,
      collaboration_by_id: collaborate ? id : null,
    }),
  }
}

/**
 * What an edit changes of it. Only users who may push to the source branch set it, and others are ignored; who changes
 * the target branch gives it for that target, or ends it.
 */
export async function changedSourceOptions(
  tx: Transaction,
  before: MergeRequestRow,
  user: User,
  wanted: { remove?: boolean | undefined; collaborate?: boolean | undefined; isRetargeted: boolean },
): Promise<SourceColumns> {
  const isPusher = (await pusherToSource(tx, user.id, before)) !== undefined
  const decide = (asked: boolean | undefined, isSet: boolean) => {
    if (asked === false) return false
    const isForOtherTarget = isSet && wanted.isRetargeted
    if (isPusher) return asked === true || isForOtherTarget ? true : undefined
    return isForOtherTarget ? false : undefined
  }
  const isFork = before.source_project_id !== before.project_id
  const collaborate = wanted.collaborate === undefined ? undefined : isFork && wanted.collaborate
  return sourceOptions(
    {
      remove: decide(wanted.remove, before.force_remove_source_branch),
      collaborate: decide(collaborate, before.allow_collaboration),
    },
    user,
  )
}

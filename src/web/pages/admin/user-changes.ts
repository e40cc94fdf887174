/** A change of the state of an account: `POST /users/:id/<action>`. */
export interface UserChange {
  action: 'approve' | 'reject' | 'activate' | 'deactivate' | 'block' | 'unblock' | 'ban' | 'unban'
  label: string
  /** What a user who is asked first is told; without it, the change is made at once. */
  question?: string
  isDangerous?: boolean
}

const SHUT_OUT = 'The user is signed out, tokens and keys stop working, and running pipelines are canceled.'

const BLOCK: UserChange = { action: 'block', label: 'Block', question: SHUT_OUT, isDangerous: true }
const BAN: UserChange = { action: 'ban', label: 'Ban', question: SHUT_OUT, isDangerous: true }
const DEACTIVATE: UserChange = {
  action: 'deactivate',
  label: 'Deactivate',
  question: `${SHUT_OUT} Only users without activity in the last 180 days can be deactivated.`,
}

/** The changes that the state of an account allows. */
export function changesOf(state: string): UserChange[] {
  switch (state) {
    case 'active':
      return [DEACTIVATE, BLOCK, BAN]
    case 'deactivated':
      return [{ action: 'activate', label: 'Activate' }, BLOCK]
    case 'blocked':
      return [{ action: 'unblock', label: 'Unblock' }]
    case 'banned':
      return [{ action: 'unban', label: 'Unban' }]
    case 'blocked_pending_approval':
      return [
        { action: 'approve', label: 'Approve' },
        { action: 'reject', label: 'Reject', question: 'The account is deleted.', isDangerous: true },
      ]
    default:
      return []
  }
}

/** A change of the state of an account: `POST /users/:id/<action>`. */
export interface UserChange {
  action: 'approve' | 'reject' | 'activate' | 'deactivate' | 'block' | 'unblock' | 'ban' | 'unban'
  label: string
  /** What the user is afterwards. */
  done: string
  /** What the change means, shown before it is confirmed; without it, the change is made at once. */
  question?: string
  isDangerous?: boolean
}

const SHUT_OUT = 'The user is signed out, tokens and keys stop working, and running pipelines are canceled.'

const BLOCK: UserChange = {
  action: 'block',
  label: 'Block',
  done: 'blocked',
  question: SHUT_OUT,
  isDangerous: true,
}
const BAN: UserChange = { action: 'ban', label: 'Ban', done: 'banned', question: SHUT_OUT, isDangerous: true }
const DEACTIVATE: UserChange = {
  action: 'deactivate',
  label: 'Deactivate',
  done: 'deactivated',
  question: `${SHUT_OUT} Only users without activity in the last 180 days can be deactivated.`,
}

/** The changes that the state of an account allows. */
export function changesOf(state: string): UserChange[] {
  switch (state) {
    case 'active':
      return [DEACTIVATE, BLOCK, BAN]
    case 'deactivated':
      return [{ action: 'activate', label: 'Activate', done: 'activated' }, BLOCK]
    case 'blocked':
      return [{ action: 'unblock', label: 'Unblock', done: 'unblocked' }]
    case 'banned':
      return [{ action: 'unban', label: 'Unban', done: 'unbanned' }]
    case 'blocked_pending_approval':
      return [
        { action: 'approve', label: 'Approve', done: 'approved' },
        {
          action: 'reject',
          label: 'Reject',
          done: 'rejected',
          question: 'The account is deleted.',
          isDangerous: true,
        },
      ]
    default:
      return []
  }
}

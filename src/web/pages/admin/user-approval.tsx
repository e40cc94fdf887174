import { Check, X } from 'lucide'

import type { FullUser } from '../../../coordinator/accounts/users/record/schema.js'
import { Button } from '../../kit/button.js'
import styles from './lists.module.css'
import { useUserChange } from './use-user-change.js'
import { changesOf } from './user-changes.js'

/** The buttons that approve or reject a user who has signed up. */
export function UserApproval({ user }: { user: FullUser }) {
  const { isBusy, start, question } = useUserChange(user)
  return (
    <>
      <span class={styles['actions']}>
        {changesOf(user.state).map((change) => (
          <Button
            key={change.action}
            size="small"
            kind={change.isDangerous ? 'danger' : 'plain'}
            icon={change.isDangerous ? X : Check}
            isBusy={isBusy}
            aria-label={`${change.label} ${user.name}`}
            onClick={() => start(change)}
          >
            {change.label}
          </Button>
        ))}
      </span>
      {question}
    </>
  )
}

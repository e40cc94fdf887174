import { Check, X } from 'lucide'
import { useState } from 'preact/hooks'

import type { FullUser } from '../../../coordinator/accounts/users/record/schema.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import styles from './lists.module.css'
import { useUserChange } from './use-user-change.js'
import { changesOf, type UserChange } from './user-changes.js'

/** The buttons that approve or reject a user who has signed up. */
export function UserApproval({ user }: { user: FullUser }) {
  const [asked, setAsked] = useState<UserChange>()
  const change = useUserChange(user, { onDone: () => setAsked(undefined) })
  return (
    <>
      <span class={styles['actions']}>
        {changesOf(user.state).map((each) => (
          <Button
            key={each.action}
            size="small"
            kind={each.isDangerous ? 'danger' : 'plain'}
            icon={each.isDangerous ? X : Check}
            isBusy={change.isBusy}
            aria-label={`${each.label} ${user.name}`}
            onClick={() => {
              if (each.question === undefined) void change.run(each)
              else setAsked(each)
            }}
          >
            {each.label}
          </Button>
        ))}
      </span>
      {asked && (
        <ConfirmDialog
          title={`${asked.label} ${user.name}?`}
          action={`${asked.label} user`}
          isBusy={change.isBusy}
          onConfirm={() => void change.run(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.question}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

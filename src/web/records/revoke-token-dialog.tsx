import type { Action } from '../api/use-action.js'
import { ConfirmDialog } from '../kit/dialog.js'

interface RevokeTokenDialogProps {
  token: { id: number; name: string }
  revoke: Action<[id: number]>
  onClose: () => void
}

/** Asks before a token is revoked. */
export function RevokeTokenDialog({ token: { id, name }, revoke, onClose }: RevokeTokenDialogProps) {
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke token"
      isBusy={revoke.isBusy}
      onConfirm={() => void revoke.run(id)}
      onClose={onClose}
    >
      <p>What uses this token stops working at once. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

import type { SignInLinkRecord } from '../../../coordinator/sessions/schema.js'
import { Button } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Dialog } from '../../kit/dialog.js'
import { Time } from '../../kit/time.js'

/** A link that signs a user in once, shown once. */
export function SignInLink({ link, onClose }: { link: SignInLinkRecord; onClose: () => void }) {
  return (
    <Dialog title="Sign-in link" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <p>
        It signs in once, and ends <Time value={link.expires_at} />. It is not shown again.
      </p>
      <CodeBlock text={link.url} label="link" />
    </Dialog>
  )
}

import { Button } from '../../kit/button.js'
import { Dialog } from '../../kit/dialog.js'
import { CopyField } from '../../records/copy-field.js'
import { cloneAddresses, type WikiOwner } from './wiki-owner.js'

/** Addresses to clone the wiki from. */
export function CloneDialog({ owner, onClose }: { owner: WikiOwner; onClose: () => void }) {
  const { http, ssh } = cloneAddresses(owner)
  return (
    <Dialog title="Clone the wiki" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <p>The pages are files of a Git repository. Pushes to its branch main change them.</p>
      <CopyField label={`Clone with ${http.startsWith('https:') ? 'HTTPS' : 'HTTP'}`} value={http} />
      {ssh !== undefined && <CopyField label="Clone with SSH" value={ssh} />}
    </Dialog>
  )
}

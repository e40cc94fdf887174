import { FileKey } from 'lucide'
import { useState } from 'preact/hooks'

import type { GpgKey } from '../../../../coordinator/accounts/users/keys/schema.js'
import { TextArea } from '../../../kit/field.js'
import { Time } from '../../../kit/time.js'
import { AddKeyDialog, KeyPage } from '../key-page.js'
import styles from './page.module.css'

const PATH = '/user/gpg_keys'

/** The OpenPGP keys of the user. */
export function Page() {
  return (
    <KeyPage<GpgKey>
      kind="GPG"
      path={PATH}
      details="Keys with which your commits are signed."
      icon={FileKey}
      columns={[
        {
          title: 'Fingerprint',
          isMain: true,
          cell: ({ fingerprint }) => <code class={styles['fingerprint']}>{inGroups(fingerprint)}</code>,
        },
        { title: 'Added', cell: ({ created_at: value }) => <Time value={value} /> },
      ]}
      deleteTitle={() => 'Delete this key?'}
      consequence={({ fingerprint }) => (
        <>
          Commits that are signed with <code>{inGroups(fingerprint)}</code> are no longer verified.
        </>
      )}
      addDialog={(onClose) => <NewKey onClose={onClose} />}
    />
  )
}

/** As GnuPG shows fingerprints. */
function inGroups(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(' ') ?? fingerprint
}

function NewKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('')
  return (
    <AddKeyDialog title="Add a GPG key" path={PATH} body={() => ({ key })} onClose={onClose}>
      <TextArea
        label="Public key"
        value={key}
        onInput={setKey}
        rows={8}
        required
        spellcheck={false}
        placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
        help={
          <>
            What <code>gpg --armor --export you@example.com</code> prints.
          </>
        }
      />
    </AddKeyDialog>
  )
}

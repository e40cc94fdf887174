import { Shield } from 'lucide'
import { useState } from 'preact/hooks'

import type { SshKey } from '../../../../coordinator/accounts/users/keys/schema.js'
import { Input, Select, TextArea } from '../../../kit/field.js'
import { Time } from '../../../kit/time.js'
import { expiryTime } from '../../../records/expiry-field.js'
import { AddKeyDialog, KeyPage } from '../key-page.js'

const PATH = '/user/keys'

const USAGES = [
  { value: 'auth_and_signing', label: 'Authentication and signing' },
  { value: 'auth', label: 'Authentication' },
  { value: 'signing', label: 'Signing' },
]

/** The SSH keys of the user. */
export function Page() {
  return (
    <KeyPage<SshKey>
      kind="SSH"
      path={PATH}
      details="Keys with which git clones and pushes over SSH, and with which commits are signed."
      icon={Shield}
      columns={[
        { title: 'Title', isMain: true, cell: ({ title }) => <strong>{title}</strong> },
        {
          title: 'Usage',
          isDetail: true,
          cell: ({ usage_type: usage }) => USAGES.find(({ value }) => value === usage)?.label ?? usage,
        },
        { title: 'Added', isDetail: true, cell: ({ created_at: value }) => <Time value={value} /> },
        { title: 'Last used', cell: ({ last_used_at: value }) => <Time value={value} /> },
        { title: 'Expires', cell: ({ expires_at: value }) => <Time value={value} /> },
      ]}
      deleteTitle={({ title }) => `Delete the key ${title}?`}
      consequence={() => 'Git can no longer use it. Commits that it has signed are no longer verified.'}
      addDialog={(onClose) => <NewKey onClose={onClose} />}
    />
  )
}

function NewKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('')
  const [title, setTitle] = useState('')
  const [usage, setUsage] = useState('auth_and_signing')
  const [expires, setExpires] = useState('')
  const paste = (text: string) => {
    setKey(text)
    // The comment of a key mostly names its machine.
    const comment = text.trim().split(/\s+/).slice(2).join(' ')
    if (title === '' && comment !== '') setTitle(comment)
  }
  return (
    <AddKeyDialog
      title="Add an SSH key"
      path={PATH}
      body={() => ({ key, title, usage_type: usage, ...expiryTime(expires) })}
      onClose={onClose}
    >
      <TextArea
        label="Public key"
        value={key}
        onInput={paste}
        required
        spellcheck={false}
        help="The content of a file such as ~/.ssh/id_ed25519.pub"
      />
      <Input label="Title" value={title} onInput={setTitle} required autoComplete="off" />
      <Select label="Usage" value={usage} onInput={setUsage} choices={USAGES} />
      <Input label="Expires on" type="date" value={expires} onInput={setExpires} />
    </AddKeyDialog>
  )
}

import { Plus, Trash2 } from 'lucide'

import { Button, IconButton } from '../../kit/button.js'
import { FieldGroup, Input, Select } from '../../kit/field.js'
import styles from './release-form.module.css'

export interface LinkDraft {
  /** Absent for a link that is not stored yet. */
  id?: number
  name: string
  url: string
  link_type: string
}

const TYPES = [
  { value: 'other', label: 'Other' },
  { value: 'package', label: 'Package' },
  { value: 'image', label: 'Image' },
  { value: 'runbook', label: 'Runbook' },
]

interface ReleaseLinksProps {
  links: readonly LinkDraft[]
  onChange: (links: LinkDraft[]) => void
}

/** Fields for the links of a release. */
export function ReleaseLinks({ links, onChange }: ReleaseLinksProps) {
  const change = (index: number, changes: Partial<LinkDraft>) =>
    onChange(links.map((link, position) => (position === index ? { ...link, ...changes } : link)))
  return (
    <FieldGroup legend="Links" class={styles['group']}>
      {links.map((link, index) => (
        <div key={link.id ?? `new ${index}`} class={styles['link']}>
          <Input
            label={`Name of link ${index + 1}`}
            hidesLabel
            placeholder="Name"
            value={link.name}
            required
            autoComplete="off"
            onInput={(name) => change(index, { name })}
          />
          <Input
            label={`URL of link ${index + 1}`}
            hidesLabel
            type="url"
            placeholder="https://example.com/app.tar.gz"
            value={link.url}
            required
            autoComplete="off"
            spellcheck={false}
            onInput={(url) => change(index, { url })}
          />
          <Select
            label={`Type of link ${index + 1}`}
            hidesLabel
            value={link.link_type}
            choices={TYPES}
            onInput={(type) => change(index, { link_type: type })}
          />
          <IconButton
            icon={Trash2}
            label={`Remove link ${index + 1}`}
            onClick={() => onChange(links.filter((_, position) => position !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange([...links, { name: '', url: '', link_type: 'other' }])}
        >
          Add link
        </Button>
      </div>
    </FieldGroup>
  )
}

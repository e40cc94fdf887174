import { FilePlus } from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { May } from '../../frame/use-abilities.js'
import { Button, type ButtonLook, LinkButton } from '../../kit/button.js'

interface NewFileButtonProps extends Pick<ButtonLook, 'size'> {
  project: string
  branch: string
  /** A name for the new file. */
  fileName?: string
  abilities: May
  children: ComponentChildren
}

/** Leads to a new file, unless the role or the state of the project forbids that. */
export function NewFileButton({
  project,
  branch,
  fileName,
  abilities,
  size = 'normal',
  children,
}: NewFileButtonProps) {
  if (!abilities.may('push_code')) return null
  const reason = abilities.reasonAgainst('push_code')
  if (reason !== undefined) {
    return (
      <Button size={size} icon={FilePlus} reason={reason}>
        {children}
      </Button>
    )
  }
  const href = addressOf('code/new-file', { project, ref_path: branch }, { file_name: fileName })
  return (
    <LinkButton size={size} icon={FilePlus} href={href}>
      {children}
    </LinkButton>
  )
}

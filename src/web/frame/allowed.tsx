import type { ComponentChildren } from 'preact'

import { Alert } from '../kit/alert.js'
import { PageHeader } from '../kit/panel.js'
import { Read } from './problem.js'
import type { Abilities } from './use-abilities.js'

interface AllowedProps {
  /** Of the project or group that the page shows. */
  abilities: Abilities
  /** The permission that the content needs. */
  to: string
  /** In place of the content: the roles that have the permission. */
  otherwise: string
  /** Heading in place of that of the content. */
  title?: string
  children: ComponentChildren
}

/** Content for users with a permission; others read who has it. */
export function Allowed({ abilities: { result, may }, to, otherwise, title, children }: AllowedProps) {
  if (may(to)) return <>{children}</>
  return (
    <>
      {title !== undefined && <PageHeader title={title} />}
      <Read of={result}>{() => <Alert tone="warning">{otherwise}</Alert>}</Read>
    </>
  )
}

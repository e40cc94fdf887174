import { addressOf } from '../../addresses/address-of.js'
import { LinkButton } from '../kit/button.js'
import styles from './scope-choice.module.css'

interface ScopeChoiceProps {
  label: string
  page: 'issues/own' | 'merge-requests/own'
  /** Values of the parameter `scope`, with their words. */
  scopes: readonly (readonly [scope: string, label: string])[]
  current: string
}

/** Chooses which of the records of all projects concern the user. */
export function ScopeChoice({ label, page, scopes, current }: ScopeChoiceProps) {
  return (
    <nav class={styles['scopes']} aria-label={label}>
      {scopes.map(([value, text]) => (
        <LinkButton
          key={value}
          size="small"
          kind={value === current ? 'primary' : 'plain'}
          href={addressOf(page, {}, { scope: value })}
        >
          {text}
        </LinkButton>
      ))}
    </nav>
  )
}

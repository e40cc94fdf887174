import type { ComponentChildren } from 'preact'

import { Badge } from '../kit/badge.js'
import { CheckBox, FieldGroup } from '../kit/field.js'
import { toggled } from '../kit/toggled.js'
import styles from './scopes.module.css'

/** The scopes of a token or an application. */
export function Scopes({ of }: { of: readonly string[] }) {
  return (
    <span class={styles['scopes']}>
      {of.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </span>
  )
}

export interface Scope {
  name: string
  /** What the scope permits. */
  about: string
}

interface ScopeFieldsProps {
  label: string
  scopes: readonly Scope[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  children?: ComponentChildren
}

/** A check box for each scope. */
export function ScopeFields({ label, scopes, chosen, onChange, children }: ScopeFieldsProps) {
  return (
    <FieldGroup legend={label} class={styles['fieldset']}>
      {scopes.map(({ name, about }) => (
        <CheckBox
          key={name}
          label={<code>{name}</code>}
          help={about}
          checked={chosen.has(name)}
          onInput={() => onChange(toggled(chosen, name))}
        />
      ))}
      {children}
    </FieldGroup>
  )
}

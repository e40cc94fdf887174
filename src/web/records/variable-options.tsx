import type { Variable } from '../../coordinator/ci/variables/schema.js'
import { Badge } from '../kit/badge.js'
import styles from './variables.module.css'

type Options = Pick<Variable, 'variable_type' | 'protected' | 'masked' | 'hidden' | 'raw'>

/** Type, protection and masking of a variable. */
export function VariableOptions({ variable }: { variable: Options }) {
  const { variable_type: type, protected: isProtected, masked, hidden, raw } = variable
  if (type === 'env_var' && !isProtected && !masked && raw) return <span class={styles['quiet']}>none</span>
  return (
    <span class={styles['badges']}>
      {type === 'file' && <Badge>file</Badge>}
      {isProtected && <Badge tone="accent">protected</Badge>}
      {masked && <Badge tone="accent">{hidden ? 'masked and hidden' : 'masked'}</Badge>}
      {!raw && <Badge>expanded</Badge>}
    </span>
  )
}

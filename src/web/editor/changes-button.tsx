import { FileDiff } from 'lucide'

import { Button } from '../kit/button.js'
import styles from './changes-button.module.css'

interface ChangesButtonProps {
  size?: 'small' | 'normal'
  isPressed: boolean
  onToggle: (isPressed: boolean) => void
}

/** Switches the marks of what was changed in the editor. */
export function ChangesButton({ size = 'normal', isPressed, onToggle }: ChangesButtonProps) {
  return (
    <Button
      size={size}
      icon={FileDiff}
      class={styles['changes']}
      aria-pressed={isPressed}
      onClick={() => onToggle(!isPressed)}
    >
      Changes
    </Button>
  )
}

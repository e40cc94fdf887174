import { Eye, EyeOff } from 'lucide'
import { useState } from 'preact/hooks'

import { IconButton } from '../kit/button.js'

/** The value of a variable behind dots, and a button that shows it. */
export function HiddenValue({ name, value }: { name: string; value: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <code>{isShown ? value : '••••••••'}</code>
      <IconButton
        size="small"
        icon={isShown ? EyeOff : Eye}
        label={`${isShown ? 'Hide' : 'Show'} the value of ${name}`}
        onClick={() => setShown(!isShown)}
      />
    </>
  )
}

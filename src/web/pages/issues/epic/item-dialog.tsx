import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { useAction } from '../../../api/use-action.js'
import { Combobox, type ComboboxChoice } from '../../../kit/combobox.js'
import { FormDialog } from '../../../kit/form-dialog.js'

interface ItemDialogProps {
  title: string
  /** Words on the button. */
  action: string
  /** What is chosen. */
  label: string
  help: string
  choices: readonly ComboboxChoice[]
  /** In place of choices. */
  none: string
  /** The user has typed something to choose by. */
  onSearch: (text: string) => void
  /** Gives the epic what was chosen, and reads it again. */
  add: (value: string) => Promise<void>
  onClose: () => void
  /** Fields above the choice. */
  children?: ComponentChildren
}

/** Chooses an issue or an epic that becomes a part of an epic. */
export function ItemDialog({
  title,
  action,
  label,
  help,
  choices,
  none,
  onSearch,
  add,
  onClose,
  children,
}: ItemDialogProps) {
  const [chosen, setChosen] = useState<ComboboxChoice>()
  const adding = useAction(async () => {
    if (chosen) await add(chosen.value)
    onClose()
  })
  return (
    <FormDialog
      title={title}
      action={action}
      isBusy={adding.isBusy}
      error={adding.error}
      isIncomplete={!chosen}
      onSubmit={() => void adding.run()}
      onClose={onClose}
    >
      {children}
      <Combobox
        {...{ label, help, choices, none, onSearch }}
        value={chosen?.value ?? ''}
        valueLabel={chosen?.label ?? ''}
        onChoose={setChosen}
      />
    </FormDialog>
  )
}

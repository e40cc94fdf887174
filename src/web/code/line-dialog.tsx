import { useState } from 'preact/hooks'

import { Input, Select } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import type { DiffFile } from './diff-files.js'
import { hasLine, type LinePosition } from './line-positions.js'

export interface LineDialogProps {
  file: DiffFile
  onChoose: (position: LinePosition) => void
  onClose: () => void
}

/** Asks for a line of a changed file, without a pointer. */
export function LineDialog({ file: { entry, parsed }, onChoose, onClose }: LineDialogProps) {
  const [side, setSide] = useState<LinePosition['side']>(entry.deleted_file ? 'old' : 'new')
  const [text, setText] = useState('')
  const line = Number(text)
  const isFound = text !== '' && hasLine(parsed, { line, side })
  return (
    <FormDialog
      title="Comment on a line"
      action="Write a comment"
      isBusy={false}
      isIncomplete={!isFound}
      onSubmit={() => {
        onClose()
        onChoose({ path: side === 'old' ? entry.old_path : entry.new_path, line, side })
      }}
      onClose={onClose}
    >
      <Input
        label="Line"
        type="number"
        value={text}
        onInput={setText}
        min={1}
        error={text !== '' && !isFound ? 'The changes do not have this line.' : undefined}
      />
      <Select
        label="Version"
        value={side}
        onInput={(value) => setSide(value === 'old' ? 'old' : 'new')}
        choices={[
          { value: 'new', label: 'After the change' },
          { value: 'old', label: 'Before the change' },
        ]}
      />
    </FormDialog>
  )
}

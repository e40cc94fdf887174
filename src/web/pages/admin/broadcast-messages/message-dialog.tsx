import { useState } from 'preact/hooks'

import type { BroadcastMessage } from '../../../../coordinator/instance/broadcast-messages/schema.js'
import { colorsOf, THEME_NAMES } from '../../../../coordinator/instance/broadcast-messages/themes.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { CheckBox, FieldGroup, Input, Select, TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { apiTime, localTime } from '../../../kit/local-time.js'
import { toggled } from '../../../kit/toggled.js'
import { ROLES } from '../../../records/roles.js'
import { MessagePreview } from './message-preview.js'
import styles from './page.module.css'

interface MessageDialogProps {
  /** The message that is changed; a new one without it. */
  message: BroadcastMessage | undefined
  onClose: () => void
  onSaved: () => void
}

/** A form for a message, with what it looks like. */
export function MessageDialog({ message, onClose, onSaved }: MessageDialogProps) {
  const [text, setText] = useState(message?.message ?? '')
  const [kind, setKind] = useState<BroadcastMessage['broadcast_type']>(message?.broadcast_type ?? 'banner')
  const [theme, setTheme] = useState<BroadcastMessage['theme']>(message?.theme ?? 'indigo')
  const before = {
    start: message ? localTime(message.starts_at) : '',
    end: message ? localTime(message.ends_at) : '',
  }
  const [start, setStart] = useState(before.start)
  const [end, setEnd] = useState(before.end)
  const [path, setPath] = useState(message?.target_path ?? '')
  const [levels, setLevels] = useState<ReadonlySet<number>>(new Set(message?.target_access_levels))
  const [isClosable, setClosable] = useState(message?.dismissable ?? true)
  const saving = useAction(async () => {
    const body = {
      message: text,
      broadcast_type: kind,
      // Its own colors stay unless another theme is chosen.
      ...(theme !== message?.theme && { theme, color: '', font: '' }),
      // The fields have no seconds.
      ...(start !== before.start && { starts_at: apiTime(start) }),
      ...(end !== before.end && { ends_at: apiTime(end) }),
      target_path: path,
      target_access_levels: [...levels],
      dismissable: isClosable,
    }
    if (message) await requestJson(`/broadcast_messages/${message.id}`, { method: 'PUT', body })
    else await requestJson('/broadcast_messages', { method: 'POST', body })
    onSaved()
    onClose()
  })
  const colors =
    message && theme === message.theme
      ? { background: message.color, text: message.font }
      : colorsOf({ theme, color: null, font: null })
  return (
    <FormDialog
      title={message ? 'Edit the message' : 'New message'}
      action={message ? 'Save changes' : 'Create message'}
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={text.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <MessagePreview text={text.trim() || 'Your message'} colors={colors} />
      <TextArea label="Message" help="Markdown" value={text} onInput={setText} required rows={3} />
      <div class={styles['pair']}>
        <Select
          label="Kind"
          value={kind}
          onInput={(value) => setKind(value as typeof kind)}
          choices={[
            { value: 'banner', label: 'Banner above the page' },
            { value: 'notification', label: 'Notification in a corner' },
          ]}
        />
        <Select
          label="Colors"
          value={theme}
          onInput={(value) => setTheme(value as typeof theme)}
          choices={THEME_NAMES.map((value) => ({ value, label: value }))}
        />
        <Input
          label="From"
          type="datetime-local"
          help={message ? undefined : 'Now, if it is empty.'}
          value={start}
          onInput={setStart}
        />
        <Input
          label="To"
          type="datetime-local"
          help={message ? undefined : 'An hour later, if it is empty.'}
          value={end}
          onInput={setEnd}
        />
      </div>
      <Input
        label="Pages"
        placeholder="All pages"
        help="A path, where * stands for any text, such as */-/pipelines."
        value={path}
        onInput={setPath}
        spellcheck={false}
      />
      <FieldGroup legend="Only for these roles in the project or group of the page">
        <div class={styles['levels']}>
          {ROLES.map(({ value, label }) => (
            <CheckBox
              key={value}
              label={label}
              checked={levels.has(Number(value))}
              onInput={() => setLevels(toggled(levels, Number(value)))}
            />
          ))}
        </div>
      </FieldGroup>
      {kind === 'banner' && (
        <CheckBox label="Readers can close it" checked={isClosable} onInput={setClosable} />
      )}
    </FormDialog>
  )
}

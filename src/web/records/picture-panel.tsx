import { ImageUp, Trash2 } from 'lucide'
import { useRef } from 'preact/hooks'

import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { Alert } from '../kit/alert.js'
import { Avatar } from '../kit/avatar.js'
import { Button } from '../kit/button.js'
import { Panel } from '../kit/panel.js'
import styles from './picture-panel.module.css'

interface PicturePanelProps {
  name: string
  url: string | null
  /** Path of the record in the API, which takes `avatar` with PUT. */
  path: string
  isSquare?: boolean
  reason?: string | undefined
  onChanged: () => void | Promise<void>
}

/** The picture of a project, group or user, and what replaces and removes it. */
export function PicturePanel({ name, url, path, isSquare = true, reason, onChanged }: PicturePanelProps) {
  const input = useRef<HTMLInputElement>(null)
  const change = useAction(async (file: File | null) => {
    const form = new FormData()
    form.set('avatar', file ?? '')
    await requestJson(path, { method: 'PUT', body: form })
    await onChanged()
  })
  return (
    <Panel title="Picture">
      {change.error && <Alert tone="error" title={change.error.message} />}
      <div class={styles['picture']}>
        <Avatar name={name} url={url} size={72} isSquare={isSquare} />
        <div class={styles['what']}>
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            class="visually-hidden"
            aria-label="Picture"
            tabIndex={-1}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (file) void change.run(file)
            }}
          />
          <div class={styles['buttons']}>
            <Button
              icon={ImageUp}
              isBusy={change.isBusy}
              reason={reason}
              onClick={() => input.current?.click()}
            >
              Choose a picture
            </Button>
            {url !== null && (
              <Button icon={Trash2} reason={reason} onClick={() => void change.run(null)}>
                Remove
              </Button>
            )}
          </div>
          <p class={styles['help']}>A square picture of at most 200 KiB.</p>
        </div>
      </div>
    </Panel>
  )
}
